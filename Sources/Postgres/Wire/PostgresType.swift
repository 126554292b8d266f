/// A PostgreSQL data type by its OID.
///
/// Built-in types have fixed OIDs; those from 16384 on belong to extensions (PostGIS) and differ from database to
/// database.
///
/// Source: PostgreSQL's `src/include/catalog/pg_type.dat`.
package struct PostgresType: RawRepresentable, Hashable, Sendable {
    /// The OID.
    package let rawValue: UInt32

    /// Takes any OID.
    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    private init(_ oid: UInt32) {
        self.rawValue = oid
    }

    /// `bool`, and arrays of it.
    package static let bool = PostgresType(16), boolArray = PostgresType(1000)
    /// `bytea`, and arrays of it.
    package static let bytea = PostgresType(17), byteaArray = PostgresType(1001)
    /// `"char"`.
    package static let char = PostgresType(18)
    /// `name`, and arrays of it.
    package static let name = PostgresType(19), nameArray = PostgresType(1003)
    /// `int8`, and arrays of it.
    package static let int8 = PostgresType(20), int8Array = PostgresType(1016)
    /// `int2`, and arrays of it.
    package static let int2 = PostgresType(21), int2Array = PostgresType(1005)
    /// `int4`, and arrays of it.
    package static let int4 = PostgresType(23), int4Array = PostgresType(1007)
    /// `text`, and arrays of it.
    package static let text = PostgresType(25), textArray = PostgresType(1009)
    /// `oid`, and arrays of it.
    package static let oid = PostgresType(26), oidArray = PostgresType(1028)
    /// `json`, and arrays of it.
    package static let json = PostgresType(114), jsonArray = PostgresType(199)
    /// `float4`, and arrays of it.
    package static let float4 = PostgresType(700), float4Array = PostgresType(1021)
    /// `float8`, and arrays of it.
    package static let float8 = PostgresType(701), float8Array = PostgresType(1022)
    /// `unknown`.
    package static let unknown = PostgresType(705)
    /// `bpchar`, and arrays of it.
    package static let bpchar = PostgresType(1042), bpcharArray = PostgresType(1014)
    /// `varchar`, and arrays of it.
    package static let varchar = PostgresType(1043), varcharArray = PostgresType(1015)
    /// `timestamptz`, and arrays of it.
    package static let timestamptz = PostgresType(1184), timestamptzArray = PostgresType(1185)
    /// `uuid`, and arrays of it.
    package static let uuid = PostgresType(2950), uuidArray = PostgresType(2951)
    /// `jsonb`, and arrays of it.
    package static let jsonb = PostgresType(3802), jsonbArray = PostgresType(3807)
}

extension PostgresType: CustomStringConvertible {
    private static let names: [PostgresType: String] = [
        .bool: "bool", .boolArray: "bool[]", .bytea: "bytea", .byteaArray: "bytea[]", .char: "char", .name: "name",
        .nameArray: "name[]", .int8: "int8", .int8Array: "int8[]", .int2: "int2", .int2Array: "int2[]", .int4: "int4",
        .int4Array: "int4[]", .text: "text", .textArray: "text[]", .oid: "oid", .oidArray: "oid[]", .json: "json",
        .jsonArray: "json[]", .float4: "float4", .float4Array: "float4[]", .float8: "float8",
        .float8Array: "float8[]", .unknown: "unknown", .bpchar: "bpchar", .bpcharArray: "bpchar[]",
        .varchar: "varchar", .varcharArray: "varchar[]", .timestamptz: "timestamptz",
        .timestamptzArray: "timestamptz[]", .uuid: "uuid", .uuidArray: "uuid[]", .jsonb: "jsonb",
        .jsonbArray: "jsonb[]",
    ]

    /// The type's name, or its OID where we do not know it.
    package var description: String { Self.names[self] ?? "type \(rawValue)" }
}

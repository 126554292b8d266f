/// A point as PostGIS keeps it, in extended well-known binary (EWKB).
///
/// It is sent as `bytea`, which PostGIS casts to `geometry` by itself: the OID of `geometry` is another in every
/// database. Write `\(point)::geometry` where a function takes both geometry and geography.
///
/// Source: PostGIS manual, "Well-Known Binary"; OGC 06-103r4 section 8.
package struct PostgresPoint: Sendable, Hashable {
    /// Degrees east (x in a projected system).
    package let longitude: Double
    /// Degrees north (y in a projected system).
    package let latitude: Double
    /// Spatial reference: 4326 is WGS 84; 0 is none.
    package let srid: Int32

    /// A point, in WGS 84 unless said otherwise.
    package init(longitude: Double, latitude: Double, srid: Int32 = 4326) {
        self.longitude = longitude
        self.latitude = latitude
        self.srid = srid
    }
}

extension PostgresPoint: PostgresEncodable, PostgresDecodable, PostgresArrayEncodable, PostgresArrayDecodable {
    /// Bound with this type.
    package static var postgresType: PostgresType { .bytea }

    /// Bound with this type as an array.
    package static var postgresArrayType: PostgresType { .byteaArray }

    /// The types it is read from.
    package static func canDecode(_ type: PostgresType) -> Bool { type == .bytea || type.isUserDefined }

    /// The array types it is read from.
    package static func canDecodeArray(_ type: PostgresType) -> Bool { type == .byteaArray || type.isUserDefined }

    private static let pointType: UInt32 = 1
    private static let sridFlag: UInt32 = 0x2000_0000

    /// Appends the binary form.
    package func encode(into writer: inout PostgresWriter) {
        writer.write(UInt8(0))  // big-endian
        writer.write(Self.pointType | Self.sridFlag)
        writer.write(srid)
        writer.write(longitude.bitPattern)
        writer.write(latitude.bitPattern)
    }

    /// Reads the binary form.
    package static func decode(
        from reader: inout PostgresReader, as type: PostgresType
    ) throws(PostgresDecodingFault) -> PostgresPoint {
        let order = try reader.read(UInt8.self)
        guard order <= 1 else { throw .malformed("the byte order of a geometry is neither 0 nor 1") }
        func inOrder<Integer: FixedWidthInteger>(_ integer: Integer) -> Integer {
            order == 0 ? integer : integer.byteSwapped
        }
        let kind = inOrder(try reader.read(UInt32.self))
        guard kind & ~sridFlag == pointType else { throw .malformed("the geometry is not a two-dimensional point") }
        let srid = kind & sridFlag == 0 ? 0 : inOrder(try reader.read(Int32.self))
        let longitude = Double(bitPattern: inOrder(try reader.read(UInt64.self)))
        let latitude = Double(bitPattern: inOrder(try reader.read(UInt64.self)))
        return PostgresPoint(longitude: longitude, latitude: latitude, srid: srid)
    }
}

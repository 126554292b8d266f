/// As `Int64`.
extension Int: PostgresScalar {
    package static var postgresType: PostgresType { .int8 }
    package static var postgresArrayType: PostgresType { .int8Array }

    package static func canDecode(_ type: PostgresType) -> Bool { Int64.canDecode(type) }
    package static func canDecodeArray(_ type: PostgresType) -> Bool { Int64.canDecodeArray(type) }

    package func encode(into writer: inout PostgresWriter) {
        writer.write(Int64(self))
    }

    package static func decode(
        from reader: inout PostgresReader, as type: PostgresType
    ) throws(PostgresDecodingFault) -> Int {
        guard let value = Int(exactly: try Int64.decode(from: &reader, as: type)) else {
            throw .malformed("the integer does not fit this machine")
        }
        return value
    }
}

/// Eight bytes, big-endian; reads the smaller integers and `oid` as well.
extension Int64: PostgresScalar {
    package static var postgresType: PostgresType { .int8 }
    package static var postgresArrayType: PostgresType { .int8Array }

    package static func canDecode(_ type: PostgresType) -> Bool {
        type == .int8 || type == .int4 || type == .int2 || type == .oid
    }

    package static func canDecodeArray(_ type: PostgresType) -> Bool {
        [.int8Array, .int4Array, .int2Array, .oidArray].contains(type)
    }

    package func encode(into writer: inout PostgresWriter) {
        writer.write(self)
    }

    package static func decode(
        from reader: inout PostgresReader, as type: PostgresType
    ) throws(PostgresDecodingFault) -> Int64 {
        switch type {
        case .int2: Int64(try reader.read(Int16.self))
        case .int4: Int64(try reader.read(Int32.self))
        case .oid: Int64(try reader.read(UInt32.self))
        default: try reader.read(Int64.self)
        }
    }
}

/// Four bytes, big-endian; reads `int2` as well.
extension Int32: PostgresScalar {
    package static var postgresType: PostgresType { .int4 }
    package static var postgresArrayType: PostgresType { .int4Array }

    package static func canDecode(_ type: PostgresType) -> Bool { type == .int4 || type == .int2 }
    package static func canDecodeArray(_ type: PostgresType) -> Bool { type == .int4Array || type == .int2Array }

    package func encode(into writer: inout PostgresWriter) {
        writer.write(self)
    }

    package static func decode(
        from reader: inout PostgresReader, as type: PostgresType
    ) throws(PostgresDecodingFault) -> Int32 {
        type == .int2 ? Int32(try reader.read(Int16.self)) : try reader.read(Int32.self)
    }
}

/// Two bytes, big-endian.
extension Int16: PostgresScalar {
    package static var postgresType: PostgresType { .int2 }
    package static var postgresArrayType: PostgresType { .int2Array }

    package static func canDecode(_ type: PostgresType) -> Bool { type == .int2 }
    package static func canDecodeArray(_ type: PostgresType) -> Bool { type == .int2Array }

    package func encode(into writer: inout PostgresWriter) {
        writer.write(self)
    }

    package static func decode(
        from reader: inout PostgresReader, as type: PostgresType
    ) throws(PostgresDecodingFault) -> Int16 {
        try reader.read(Int16.self)
    }
}

/// IEEE 754 double precision; reads `float4` as well.
extension Double: PostgresScalar {
    package static var postgresType: PostgresType { .float8 }
    package static var postgresArrayType: PostgresType { .float8Array }

    package static func canDecode(_ type: PostgresType) -> Bool { type == .float8 || type == .float4 }
    package static func canDecodeArray(_ type: PostgresType) -> Bool { type == .float8Array || type == .float4Array }

    package func encode(into writer: inout PostgresWriter) {
        writer.write(bitPattern)
    }

    package static func decode(
        from reader: inout PostgresReader, as type: PostgresType
    ) throws(PostgresDecodingFault) -> Double {
        type == .float4
            ? Double(Float(bitPattern: try reader.read(UInt32.self)))
            : Double(bitPattern: try reader.read(UInt64.self))
    }
}

/// One byte, 0 or 1.
extension Bool: PostgresScalar {
    package static var postgresType: PostgresType { .bool }
    package static var postgresArrayType: PostgresType { .boolArray }

    package static func canDecode(_ type: PostgresType) -> Bool { type == .bool }
    package static func canDecodeArray(_ type: PostgresType) -> Bool { type == .boolArray }

    package func encode(into writer: inout PostgresWriter) {
        writer.write(UInt8(self ? 1 : 0))
    }

    package static func decode(
        from reader: inout PostgresReader, as type: PostgresType
    ) throws(PostgresDecodingFault) -> Bool {
        switch try reader.read(UInt8.self) {
        case 0: false
        case 1: true
        default: throw .malformed("a bool is neither 0 nor 1")
        }
    }
}

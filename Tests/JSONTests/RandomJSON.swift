import TestRandom

/// Makes JSON documents at random, in the many ways in which one value can be written.
struct RandomJSON {
    var generator: RandomSource

    init(seed: UInt64) {
        generator = RandomSource(seed: seed)
    }

    mutating func document() -> String {
        space() + value(depth: 0) + space()
    }

    private mutating func value(depth: Int) -> String {
        switch pick(depth < 6 ? 8 : 6) {
        case 0: return "null"
        case 1: return "true"
        case 2: return "false"
        case 3, 4: return number()
        case 5: return string()
        case 6: return array(depth: depth)
        default: return object(depth: depth)
        }
    }

    private mutating func array(depth: Int) -> String {
        let items = (0..<pick(5)).map { _ in space() + value(depth: depth + 1) + space() }
        return "[" + (items.isEmpty ? space() : items.joined(separator: ",")) + "]"
    }

    private mutating func object(depth: Int) -> String {
        var names: Set<String> = []
        var members: [String] = []
        for index in 0..<pick(30) {
            let name = pick(4) == 0 ? string() : "\"key\(index)\""
            guard names.insert(name).inserted, !name.contains("\\") else { continue }
            members.append(space() + name + space() + ":" + space() + value(depth: depth + 1) + space())
        }
        return "{" + members.joined(separator: ",") + "}"
    }

    private mutating func number() -> String {
        let sign = pick(2) == 0 ? "-" : ""
        let whole =
            pick(4) == 0
            ? "0" : String(Int.random(in: 1...(1 << Int.random(in: 1...53, using: &generator)), using: &generator))
        let fraction = pick(3) == 0 ? "." + digits() : ""
        let exponent = pick(5) == 0 ? ["e", "E"][pick(2)] + ["", "+", "-"][pick(3)] + String(pick(200)) : ""
        return sign + whole + fraction + exponent
    }

    private mutating func digits() -> String {
        String((0...pick(12)).map { _ in Character(String(pick(10))) })
    }

    private mutating func string() -> String {
        "\"" + (0..<pick(12)).map { _ in character() }.joined() + "\""
    }

    private mutating func character() -> String {
        switch pick(8) {
        case 0: return ["\\\"", "\\\\", "\\/", "\\b", "\\f", "\\n", "\\r", "\\t"][pick(8)]
        case 1: return "\\u00" + ["e9", "E9", "41", "1f"][pick(4)]
        case 2: return "\\uD83D\\uDC26"
        case 3: return ["é", "🐦", "\u{7F}", "字", "\u{2028}"][pick(5)]
        default: return String(UnicodeScalar(UInt8(0x20 + pick(2)))) + String(UnicodeScalar(UInt8(0x61 + pick(26))))
        }
    }

    private mutating func space() -> String {
        (0..<pick(3)).map { _ in [" ", "\n", "\t", "\r"][pick(4)] }.joined()
    }

    private mutating func pick(_ count: Int) -> Int {
        Int.random(in: 0..<count, using: &generator)
    }
}

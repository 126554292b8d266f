/// Finds names that are equal to a text: open addressing over the indexes of names, four bytes a slot.
struct NameHash: Sendable {
    /// The first name of every comparable form, plus 1; 0 is an empty slot.
    private var slots: [UInt32]
    private let mask: Int

    init(_ table: NameTable) {
        var size = 16
        while size < table.count * 2 { size *= 2 }
        slots = [UInt32](repeating: 0, count: size)
        mask = size - 1
        var before: ArraySlice<UInt8> = []
        for name in 0..<NameTable.Index(table.count) {
            let bytes = table.foldedBytes(name)
            // Names are in order, so equal ones are neighbours, and the first stands for all.
            guard name == 0 || bytes != before else { continue }
            before = bytes
            var slot = Self.hash(bytes) & mask
            while slots[slot] != 0 { slot = (slot + 1) & mask }
            slots[slot] = name + 1
        }
    }

    /// The names whose comparable form is this one.
    func names(equalTo folded: some Collection<UInt8>, in table: NameTable) -> Range<NameTable.Index> {
        var slot = Self.hash(folded) & mask
        while slots[slot] != 0 {
            let first = slots[slot] - 1
            if table.foldedBytes(first).elementsEqual(folded) {
                var end = first + 1
                while end < table.count, table.foldedBytes(end).elementsEqual(folded) { end += 1 }
                return first..<end
            }
            slot = (slot + 1) & mask
        }
        return 0..<0
    }

    /// FNV-1a, which is good for short texts.
    private static func hash(_ bytes: some Collection<UInt8>) -> Int {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return Int(truncatingIfNeeded: hash ^ (hash >> 32))
    }
}

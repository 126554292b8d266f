import Domain
import FoundationEssentials
import Testing

@testable import Service

struct CanonicalTextTests {
    @Test func `texts are separated from their neighbours and from missing ones`() {
        let texts: [[String?]] = [
            ["a", "b"], ["ab"], ["a", nil, "b"], ["a", "", "b"], ["a", "-", "b"], ["1:a", "b"], ["a1:b"], ["b", "a"],
            ["é"],
        ]
        #expect(Set(texts.map { CanonicalText($0) }).count == texts.count)
        #expect(String(decoding: CanonicalText("é", nil, "").bytes, as: UTF8.self) == "2:é-0:")
    }

    @Test func `a change has a form for each of its cases`() {
        let changes: [Change<String>] = [.unset, .cleared, .set(""), .set("0"), .set("-")]
        #expect(Set(changes.map { CanonicalText($0) }).count == changes.count)
    }

    @Test func `a fingerprint covers command, target, versions and request`() {
        let (account, target, key) = (UUID(), UUID(), UUID())
        func fingerprint(
            _ command: String = "A", of target: UUID?, ifVersions: Set<Int>? = nil, _ request: CanonicalText = .empty
        ) -> [UInt8] {
            CommandSigner(key: [1]).identity(
                account: account, command: command, target: target, ifVersions: ifVersions, key: key, request: request,
                actor: account
            ).fingerprint
        }
        let others = [
            fingerprint(of: target), fingerprint("B", of: target), fingerprint(of: nil), fingerprint(of: UUID()),
            fingerprint(of: target, ifVersions: []), fingerprint(of: target, ifVersions: [1]),
            fingerprint(of: target, ifVersions: [1, 2]), fingerprint(of: target, CanonicalText("a")),
            fingerprint(of: target, CanonicalText(nil)), fingerprint(of: target, ifVersions: [1], CanonicalText("a")),
        ]
        #expect(Set(others).count == others.count)
        #expect(fingerprint(of: target, ifVersions: [2, 1]) == fingerprint(of: target, ifVersions: [1, 2]))
    }
}

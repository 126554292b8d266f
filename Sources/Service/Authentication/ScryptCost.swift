/// How much work and memory one scrypt derivation takes.
package struct ScryptCost: Hashable, Sendable {
    /// log₂ of N, the number of rounds.
    package let logRounds: Int
    /// r, the block size, in units of 128 bytes.
    package let blockSize: Int
    /// p, how often the whole is done, one after the other.
    package let parallelism: Int

    /// N = 2¹⁵, r = 8, p = 3: 32 MiB for as long as it takes.
    /// - Source: OWASP Password Storage Cheat Sheet, scrypt, the setting with 32 MiB.
    package static let standard = ScryptCost(trusted: 15, blockSize: 8, parallelism: 3)

    /// The least work there is, for tests of everything but the work.
    package static let least = ScryptCost(trusted: 1, blockSize: 1, parallelism: 1)

    /// Takes a setting from a stored record; nil for an invalid setting, or one over 64 MiB.
    package init?(logRounds: Int, blockSize: Int, parallelism: Int) {
        guard (1...20).contains(logRounds), (1...16).contains(blockSize), (1...16).contains(parallelism),
            128 * (1 << logRounds) * blockSize <= 64 << 20
        else { return nil }
        self.init(trusted: logRounds, blockSize: blockSize, parallelism: parallelism)
    }

    private init(trusted logRounds: Int, blockSize: Int, parallelism: Int) {
        self.logRounds = logRounds
        self.blockSize = blockSize
        self.parallelism = parallelism
    }
}

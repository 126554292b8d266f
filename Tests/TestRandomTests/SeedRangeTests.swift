import TestRandom
import Testing

struct SeedRangeTests {
    @Test(arguments: [
        ([:], 3, [1, 2, 3]), (["SKEIN_TEST_SEED": "7", "SKEIN_TEST_FIRST_SEED": "9"], 3, [7]),
        (["SKEIN_TEST_FIRST_SEED": "9"], 3, [9, 10, 1]), (["SKEIN_TEST_FIRST_SEED": "9"], 1, [9]),
        (["SKEIN_TEST_BREADTH": "34"], 4, [1, 2]),
        (["SKEIN_TEST_BREADTH": "1"], 4, [1, 2]), (["SKEIN_TEST_BREADTH": "0"], 1, [1]),
        (["SKEIN_TEST_BREADTH": "200", "SKEIN_TEST_FIRST_SEED": "5"], 2, [5, 6, 7, 1]),
        (["SKEIN_TEST_BREADTH": "many", "SKEIN_TEST_FIRST_SEED": "-1", "SKEIN_TEST_SEED": ""], 2, [1, 2]),
        ([:], 0, []), (["SKEIN_TEST_FIRST_SEED": "18446744073709551615"], 3, [.max, 0, 1]),
    ])
    func `the environment chooses the seeds`(environment: [String: String], count: Int, seeds: [UInt64]) {
        #expect(SeedRange(environment: environment).seeds(count) == seeds)
    }
}

"""The steps of `make test` and of continuous integration, in the order in which they begin if several could."""

from runner import Step

BUILT = ("build", "tools")

CHECKS = [
    Step("build", "scripts/build"),
    Step("lint", "scripts/lint"),
    # Used by tests: an S3 service, a mail server, and the files of the page /docs.
    Step(
        "tools",
        "python3 scripts/moto install && python3 scripts/smtp install && { scripts/docs-assets || "
        "echo '/docs will only link openapi.yaml'; }"),
]

TEST = [
    *CHECKS,
    Step("tests", "scripts/test --seed fresh --breadth 34", BUILT, is_live=True),
    Step("torture", ".build/debug/skein-torture --rounds 3", BUILT),
]

CI = [
    *CHECKS,
    Step("tests", "scripts/test --seed fresh --breadth 60", BUILT, is_live=True),
    # The longest of the others; it begins with a build of its own.
    Step("ThreadSanitizer", "scripts/sanitize thread", BUILT),
    # Mutants in SQL need no build.
    Step("mutants in SQL", "python3 scripts/mutants --sql", BUILT),
    Step("torture", ".build/debug/skein-torture --rounds 3", BUILT),
    # The same requests each time, to a new log; then others, whose seed is printed, to a log with a past.
    Step("contract", "scripts/contract --examples 12 .build/debug/skein", BUILT),
    Step(
        "contract, fresh seed", "scripts/contract --examples 12 --seed fresh --used-log .build/debug/skein",
        ("contract",)),
    Step("readers", "scripts/readers/run .build/debug/skein", BUILT),
]

PLANS = {"test": TEST, "ci": CI}

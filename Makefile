# The project's commands. `make` alone lists them.
SHELL := /bin/sh
MAKEFLAGS += --no-print-directory
.DEFAULT_GOAL := help

ROUNDS ?= 3
SANITIZED ?= PostgresTests|PrivateServerTests|EventLogTests

.PHONY: help docs run build test lint format bench contract torture mutants thread sanitize install clean

help: ## List the commands
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

docs: ## Copy what the page /docs needs; without it the page only links openapi.yaml
	@scripts/docs-assets || echo "/docs will only link openapi.yaml"

run: install docs ## Build for release and serve, on a private PostgreSQL in ./.skein
	@swift build --configuration release --product skein
	@# exec: signals go to skein itself, which stops its PostgreSQL before it ends.
	@exec .build/release/skein serve

build: install ## Build everything, tests included, for debugging
	@swift build --build-tests

test: install lint docs build ## Install what is missing, lint, build and run all tests
	@# One test after the other: hundreds of databases at once are more than two cores can serve in time.
	@python3 scripts/moto install
	@python3 scripts/smtp install
	@swift test --skip-build --disable-xctest --no-parallel
	@.build/debug/skein-torture --rounds 3

lint: ## Check layout, sizes, documentation, words, imports, links and SQL; change nothing
	@scripts/lint

format: ## Format the Swift sources
	@swift format format --in-place --parallel --recursive --configuration .swift-format \
		$(wildcard Package.swift Sources Tests Benchmarks)

bench: ## Measure against pgbench and plain SQL (minutes)
	@scripts/install bench
	@swift build --configuration release --product skein
	@swift build --configuration release --product skein-bench
	@exec .build/release/skein-bench $(ARGS)

contract: ## Check a running service against openapi.yaml, with schemathesis and with generated clients (minutes)
	@scripts/install contract
	@swift build --configuration release --product skein
	@scripts/contract $(ARGS)
	@exec scripts/clients/run

torture: install ## Kill, stop and freeze at random, then check: make torture ROUNDS=50 (40 minutes)
	@swift build --configuration release --product skein
	@swift build --configuration release --product skein-torture
	@exec .build/release/skein-torture --rounds $(ROUNDS)

mutants: install ## Break the code on purpose, one line at a time, and see a test or the torture notice (an hour)
	@swift build --build-tests
	@exec python3 scripts/mutants $(ARGS)

thread: install ## Run the client's and the log's tests under ThreadSanitizer (a build of its own)
	@# The reports come last: above, they would be lost among the tests.
	@rm -f .build/thread/race.*
	@TSAN_OPTIONS="suppressions=$$PWD/Tests/tsan.supp log_path=$$PWD/.build/thread/race" \
		swift test --no-parallel --sanitize thread --scratch-path .build/thread --disable-xctest --filter '$(SANITIZED)' \
		|| { cat .build/thread/race.* 2>/dev/null; grep -hs SUMMARY .build/thread/race.*; exit 1; }

sanitize: thread ## Run them under ThreadSanitizer, then under AddressSanitizer
	@swift test --no-parallel --sanitize address --scratch-path .build/address --disable-xctest --filter '$(SANITIZED)'

install: ## Install the system packages that are missing
	@scripts/install

clean: ## Remove what was built; ./.skein stays
	@swift package clean
	@rm -rf .build/thread .build/address

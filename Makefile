# The project's commands. `make` alone lists them.
SHELL := /bin/sh
MAKEFLAGS += --no-print-directory
.DEFAULT_GOAL := help

ROUNDS ?= 3

.PHONY: help docs run build test laws lint format bench contract readers torture mutants thread sanitize install clean

help: ## List the commands
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

docs: ## Copy what the page /docs needs; without it the page only links openapi.yaml
	@scripts/docs-assets || echo "/docs will only link openapi.yaml"

run: install docs ## Build for release and serve, on a private PostgreSQL in ./.skein
	@swift build --configuration release --product skein
	@# exec: signals go to skein itself, which stops its PostgreSQL before it ends.
	@exec .build/release/skein serve

build: install ## Build everything, tests included, for debugging
	@scripts/build

test: install ## Install what is missing, lint, build, run all tests and three rounds of the torture test
	@exec python3 scripts/steps test

laws: install ## Run the tests that draw from seeds with many of them (an hour; for the night)
	@scripts/build
	@python3 scripts/moto install && python3 scripts/smtp install
	@exec scripts/test --seed fresh --breadth 6000 --filter '\(seed:'

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

readers: ## Read exports with R, pandas, DuckDB, GDAL and others, run recipes, and compare ranges with scipy's
	@scripts/install readers
	@swift build --configuration release --product skein
	@exec scripts/readers/run --neon

torture: install ## Kill, stop and freeze at random, then check: make torture ROUNDS=50 (40 minutes)
	@swift build --configuration release --product skein
	@swift build --configuration release --product skein-torture
	@exec .build/release/skein-torture --rounds $(ROUNDS)

mutants: install ## Break the code on purpose, one line at a time, and see a test or the torture notice (an hour)
	@scripts/build
	@exec python3 scripts/mutants $(ARGS)

thread: install ## Run the client's and the log's tests under ThreadSanitizer (a build of its own)
	@exec scripts/sanitize thread

sanitize: thread ## Run them under ThreadSanitizer, then under AddressSanitizer
	@exec scripts/sanitize address

install: ## Install the system packages that are missing
	@scripts/install

clean: ## Remove what was built; ./.skein stays
	@swift package clean
	@rm -rf .build/thread .build/address

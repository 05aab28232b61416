# Thin on purpose: the work is in tools/, .ci/ and CMake. `make` alone prints this list.
SHELL := /bin/bash
PREFIX ?= /usr/local
FUZZ_SECONDS ?= 600
JOBS ?= $(shell nproc)

.DEFAULT_GOAL := help
.PHONY: help run test real-agents test-real test-browser accuracy bench soak night mutants fuzz test-vm install uninstall hooks format lint static image deb stop clean build

help: ## this list
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20

build: ## build/release/bin/pawl
	@tools/setup build test
	@tools/build release -j $(JOBS)

run: ## start the demo fleet and watch it
	@tools/setup build test
	@tools/build release -j $(JOBS) --target pawl pawl-demo-agent
	@demo/run

stop: ## end the demo fleet and its daemon
	@demo/stop

test: build ## all tests
	@ctest --test-dir build/release --output-on-failure -j2

real-agents: ## install Claude Code, Codex, Gemini and others from npm into build/real-agents
	@tools/real-agents

test-real: build ## with those, away from every network (PAWL_REAL_AGENTS: another folder)
	@ctest --test-dir build/release -C real -L real --verbose

test-browser: build ## the dashboard in a real Chromium (installs it, and playwright-core from npm)
	@tools/browser
	@ctest --test-dir build/release -C browser -L browser --verbose

test-vm: deb ## the service, limits and a shortage of memory under systemd, in a virtual machine
	@tools/setup vm
	@tools/vm "$$(ls -t build/pawl_*.deb | head -n 1)"

accuracy: ## how often classify is right on the recordings, against the targets
	@tools/setup build test
	@tools/build release -j $(JOBS) --target pawl
	@tools/accuracy --check

bench: ## all benchmarks
	@tools/setup build bench
	@tools/build bench -j $(JOBS)
	@tools/bench

soak: build ## made-up nights with other seeds until one goes wrong, for SOAK_SECONDS (3600)
	@tools/soak

night: build ## a bad night with real processes that are really killed, for NIGHT_SECONDS (600)
	@NIGHT_SECONDS=$${NIGHT_SECONDS:-600} PATH=$(CURDIR)/build/release/bin:$$PATH python3 test/e2e/real_night_test.py

mutants: build ## takes guards away one at a time (test/mutants.txt): do the made-up nights notice?
	@tools/mutants

fuzz: ## every fuzz target for FUZZ_SECONDS (600)
	@tools/setup build fuzz
	@tools/build asan -j $(JOBS) --target fuzzers
	@tools/fuzz $(FUZZ_SECONDS)

install: build ## into PREFIX (/usr/local); DESTDIR is honoured
	@cmake --install build/release --prefix $(PREFIX)

uninstall: ## remove what install put there
	@test -f build/release/install_manifest.txt || { echo "nothing was installed from here" >&2; exit 1; }
	@sed 's|^|$(DESTDIR)|' build/release/install_manifest.txt | tr '\n' '\0' | xargs -0 rm -fv
	@rm build/release/install_manifest.txt

hooks: ## check formatting and house rules before every commit in this clone
	@tools/hooks

format: ## rewrite the sources with clang-format
	@tools/setup lint
	@tools/lint --format

lint: ## clang-format, clang-tidy, cppcheck, tidy (changes nothing)
	@tools/setup build test lint
	@tools/lint

static: ## build/static/bin/pawl, without any library; build/portable/bin/pawl, with the C library only
	@tools/setup build
	@tools/build static -j $(JOBS) --target pawl
	@tools/build portable -j $(JOBS) --target pawl

image: ## build/pawl-image.tar, for docker load and podman load (doc/container.md)
	@tools/setup build
	@tools/build static -j $(JOBS) --target pawl
	@tools/image

deb: build ## build/pawl_*.deb
	@tools/setup deb
	@cd build/release && cpack -G DEB -B $(CURDIR)/build/deb
	@mv build/deb/*.deb build/ && rm -r build/deb && ls build/*.deb

clean: ## remove build/ (a running fleet is left alone)
	@rm -rf build

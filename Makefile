# Soundbox: what there is to do here. Each target that compiles or tests first installs the Debian packages
# it needs and does not find (scripts/packages lists them).

# More flags for every compilation, as `make test SWIFTFLAGS="-Xswiftc -warnings-as-errors"`.
SWIFTFLAGS ?=
# More arguments for run, test-machine and check-debian13, as `make run ARGS=--stay`.
ARGS ?=
# How often make soak kills the box, and the seed of a run to be repeated.
ROUNDS ?= 500
SEED ?=
# What make voices makes.
PACKS ?= zh-CN en en-GB es

.PHONY: help deps build run test test-machine check-unit prove bench soak lint check-debian13 voices clean

help: ## this list
	@sed -n 's/^\([a-z0-9-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 24

deps: ## install the Debian packages to build, run and test that are missing
	scripts/deps build run test

build: ## build the release binary, .build/release/soundbox
	scripts/deps build
	swift build -c release --product soundbox $(SWIFTFLAGS)

run: build ## hear it: a broker, the daemon and five notices (ARGS=--stay: keep it up)
	scripts/deps run
	scripts/demo $(ARGS)

test: deps check-unit prove ## every test
	swift test $(SWIFTFLAGS)

test-machine: build ## test on a real kernel, in a virtual machine with sound and GPIO (as root; ARGS=--quick)
	Tests/Machine/run $(ARGS)

check-unit: ## test the systemd unit: is it valid, what does its sandbox leave open
	scripts/deps test
	scripts/check-unit

prove: build ## prove the readings of amounts against independent oracles
	scripts/deps test
	/usr/bin/python3 Tests/Readings/prove.py # the one that python3-icu belongs to

bench: build ## measure what the README's tables show (as root)
	scripts/deps run test
	/usr/bin/python3 bench/bench.py
	swift build -c release --product JournalBench $(SWIFTFLAGS)
	/usr/bin/python3 bench/journal.py

soak: deps ## kill the box 500 times over a stream of notices (ROUNDS=N; SEED=N repeats a run)
	SOUNDBOX_SOAK_ROUNDS=$(ROUNDS) SOUNDBOX_SOAK_SEED=$(SEED) swift test $(SWIFTFLAGS) --filter KillTests

lint: ## check the format of the sources
	swift format lint --strict --recursive Sources Tests bench Package.swift

check-debian13: ## build and test with Debian 13's own Swift, in a root that is kept (as root)
	scripts/debian13 $(ARGS)

voices: ## make the voice packs from scratch: MODEL=DIR VOICES=DIR, as tools/voice/README.md says
	scripts/deps voices
	for pack in $(PACKS); do tools/voice/build --pack $$pack --model "$(MODEL)" --voices "$(VOICES)" || exit; done

clean: ## remove what was built; the kept Debian 13 root too
	rm -rf --one-file-system .build build soundbox-demo.wav

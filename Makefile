# Soundbox: what there is to do here. Each target that compiles or tests first installs the Debian packages
# it needs and does not find (scripts/packages lists them).

# More flags for every compilation, as `make test SWIFTFLAGS="-Xswiftc -warnings-as-errors"`.
SWIFTFLAGS ?=
# More arguments for run, test-machine and check-debian13, as `make run ARGS=--stay`.
ARGS ?=
# How often make soak kills the box.
ROUNDS ?= 500
# The seed of make soak, where a run is to be repeated, and of make voice-check.
SEED ?=
# What make voices and make voice-check take: every pack.
PACKS ?= $(notdir $(patsubst %/,%,$(wildcard Resources/Clips/*/)))
# The folders of the synthesiser, its voices, and the recogniser, as tools/voice/README.md says.
MODEL ?= build/voice/model
VOICES ?= build/voice/voices
RECOGNISER ?= build/voice/recogniser
# Recordings from a studio, OVERRIDE/PACK/…
OVERRIDE ?= override
# How many amounts of each pack make voice-check takes; SEED chooses them.
COUNT ?= 60

.PHONY: help deps build run test test-machine check-unit prove bench soak lint check-debian13 voice voices voice-check \
	clean

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

test: deps check-unit prove ## every test but those in a virtual machine
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

voice: ## make one voice pack from scratch: PACK=en MODEL=DIR VOICES=DIR [OVERRIDE=DIR]
	scripts/deps voices
	tools/voice/build --pack "$(PACK)" --model "$(MODEL)" --voices "$(VOICES)" --override "$(OVERRIDE)"

voices: ## make every voice pack from scratch: MODEL=DIR VOICES=DIR [PACKS="en es"]
	for pack in $(PACKS); do $(MAKE) --no-print-directory voice PACK=$$pack || exit; done

voice-check: build ## measure every pack: SEED=5 MODEL=DIR VOICES=DIR RECOGNISER=DIR [PACKS="en es"] [COUNT=60]
	scripts/deps voices
	tools/voice/check --seed "$(or $(SEED),5)" --count "$(COUNT)" --model "$(MODEL)" --voices "$(VOICES)" \
	    --recogniser "$(RECOGNISER)" $(addprefix Resources/Clips/,$(PACKS))

clean: ## remove what was built; the kept Debian 13 root too
	rm -rf --one-file-system .build build soundbox-demo.wav

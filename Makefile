# Soundbox: what there is to do here. Each target that compiles or tests first installs the Debian packages
# it needs and does not find (scripts/packages lists them).

# More flags for every compilation, as `make test SWIFTFLAGS="-Xswiftc -warnings-as-errors"`.
SWIFTFLAGS ?=
# More arguments for run and check-debian13, as `make run ARGS=--stay`.
ARGS ?=
# What make voices and make voice-check take: every pack.
PACKS ?= $(notdir $(patsubst %/,%,$(wildcard Resources/Clips/*/)))
# The folders of the synthesiser, its voices, and the recogniser, as tools/voice/README.md says.
MODEL ?= build/voice/model
VOICES ?= build/voice/voices
RECOGNISER ?= build/voice/recogniser
# Recordings from a studio, OVERRIDE/PACK/…
OVERRIDE ?= override
# The amounts of make voice-check: which, and how many of each pack.
SEED ?= 5
COUNT ?= 60

.PHONY: help deps build run test check-unit prove bench lint check-debian13 voice voices voice-check clean

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

check-unit: ## test the systemd unit: is it valid, what does its sandbox leave open
	scripts/deps test
	scripts/check-unit

prove: build ## prove the readings of amounts against independent oracles
	scripts/deps test
	/usr/bin/python3 Tests/Readings/prove.py # the one that python3-icu belongs to

bench: build ## measure what the README's table shows
	scripts/deps run test
	/usr/bin/python3 bench/bench.py

lint: ## check the format of the sources
	swift format lint --strict --recursive Sources Tests Package.swift

check-debian13: ## build and test with Debian 13's own Swift, in a root that is kept (as root)
	scripts/debian13 $(ARGS)

voice: ## make one voice pack from scratch: PACK=en MODEL=DIR VOICES=DIR [OVERRIDE=DIR]
	scripts/deps voices
	tools/voice/build --pack "$(PACK)" --model "$(MODEL)" --voices "$(VOICES)" --override "$(OVERRIDE)"

voices: ## make every voice pack from scratch: MODEL=DIR VOICES=DIR [PACKS="en es"]
	for pack in $(PACKS); do $(MAKE) --no-print-directory voice PACK=$$pack || exit; done

voice-check: build ## measure every pack: SEED=5 MODEL=DIR VOICES=DIR RECOGNISER=DIR [PACKS="en es"] [COUNT=60]
	scripts/deps voices
	tools/voice/check --seed "$(SEED)" --count "$(COUNT)" --model "$(MODEL)" --voices "$(VOICES)" \
	    --recogniser "$(RECOGNISER)" $(addprefix Resources/Clips/,$(PACKS))

clean: ## remove what was built; the kept Debian 13 root too
	rm -rf --one-file-system .build build soundbox-demo.wav

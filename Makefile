# `make run` and `make test` install what they need (Debian packages, a Python environment in .venv) without asking.
# All that a bare Debian 12 must have is Swift 6.3 and make.

SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo)
LIBRARIES := libavformat-dev libavcodec-dev libssl-dev libsqlite3-dev
# Programs that tests judge our output with; we wrote none of them.
JUDGES := ffmpeg chromium haproxy varnish varnish-vmod-digest trafficserver nginx-light libnginx-mod-http-js openssl xmlsec1 strace \
  valgrind procps iproute2 curl nghttp2-client python3-venv gstreamer1.0-plugins-base gstreamer1.0-plugins-good gstreamer1.0-plugins-bad \
  gir1.2-gst-plugins-bad-1.0 python3-gi tesseract-ocr
# What the origin is measured with.
YARDSTICKS := wrk
PYTHON := .venv/bin/python
# Tests that wait for sockets and processes must not queue behind those that compute.
WAITING := ConformanceTests|ControlTests|DrillsTests|ManifestsTests|AdSourcesTests|FetchingTests|HTTPServingTests|IngestTests|OriginTests|PeerWindowReaderTests|ChannelKeyTests|KeyServingTests|EventDeliveryTests|ObjectStoresTests
# Tests that compute, and wait for nothing.
COMPUTING := ^(CodecsTests|ContentProtectionTests|CorpusTests|CPIXTests|FairPlayTests|ISOBMFFTests|MPEGTSTests|PackagingTests|PlaylistsTests|ProbingTests|SCTE35Tests|SegmentingTests|TimedTextTests|TimelineTests)[.]|PictureExaminationTests|AudioExaminationTests
# Tests that start programs, or look at their own process, which others would disturb.
PROGRAMS := ^(EndToEndTests|ProcessTests)[.]
# Tests that watch a player: few at a time, so that no player waits for another one.
PLAYERS := BrowserTests|LowLatencyPageTests|LowLatencyChangeTests|LowLatencyFailoverTests|LowLatencyEnduranceTests|InterstitialTests|LoadBalancerTests|OnLossTests|OtherPlayersTests|SteeringPlayersTests|RotationPlayersTests|[.]SubtitleTests|[.]UpgradeTests|AudienceTests
# Tests that compare two packagers slot by slot: both must keep up.
PAIRS := PairTests|PairKeyTests|PairSpliceTests|aMemberOfAPairPublishesTheSameAllTheWhile
# Tests that rehearse at length, or every combination: `make test-all` and `make check` run them.
LONG := AlertTests|BandwidthTests|BrowserTests/(playsWhatIsMuxed|severalKeysComeWithOneLicence|theViewerFindsWhatPlayersHave)[^/]*|DeclarationTests|FairPlayEndpointTests|FeedRecipeTests|FinishedRecordingTests|KeySystemTests|LayersTests|LiveLadderTests|PairFormatTests|PostedTests|ProgramTests|PublishedAudioTests|PushedRecordingTests|SealedSegmentTests|DrillTests|EdgeTests|TokenEdgeTests|MediaTokenTests|SteeringPlayersTests|LowLatencyProxyTests|LowLatencyChangeTests|LowLatencyOtherPlayersTests|LowLatencyPairTests|EncoderUpgradeTests|KeyServerTests|RotationTests|RotationPlayersTests|JoiningTests|OddStreamTests|TimecodeTests|RekeyTests|TranscodedAudioTests|SampleDecryptionTests|FieldPictureTests|EditListTests|LightLevelTests|LadderTests|IFrameTests|TrackChangeTests|StandardStreamsTests|EventArchiveTests|JobTests|FuturePeerTests|ContentChecksTests|KeyAddressTests|KeyClassTests|KeyExportTests|OnLossTests|InterstitialTests|LoadBalancerTests|PairSpliceTests|SubtitleTests|OtherPlayersTests|LowLatencyBrowserTests|SchedulePairTests|FeedSubtitleTests|ArrivalTests|RecoveryPointTests|FleetTests|MemoryTests|OperatorMessageTests|StalledStreamTests|ClearLeadTests|AudienceTests|RekeyedRecordingTests|KeyDeliveryTests|OperatorBrowserTests|RestartFormatTests
# Tests that take all that the machine has.
GREEDY := KillTests|CrowdTests|EdgeTests|LowLatencyProxyTests|LowLatencyLifeTests
# libFuzzer, as it comes with the toolchain; its `main` is ours.
FUZZ_DRIVER = $(firstword $(wildcard $(dir $(realpath $(shell command -v swift)))../lib/clang/*/lib/linux/libclang_rt.fuzzer_no_main-$(shell uname -m).a))
SOURCES := Package.swift Sources Tests

# Tests that start programs run so many at a time that the machine keeps up with them.
CORES := $(shell nproc)

# The groups run one after another, and all of them even where one fails; none takes longer than so many minutes.
TEST_GROUPS := $(addprefix test-,units computing waiting players end-to-end pairs greedy)
GROUP_MINUTES := $(if $(filter all,$(TEST_EXTENT)),60,15)
SKIPPED := $(if $(filter all,$(TEST_EXTENT)),,--skip 'EndToEndTests[.]($(LONG))/')
# The tests are built apart from what `swift build` leaves: module by module, each of them read and checked once, without debug
# information and index, which takes less time than a build that is made to be changed. Imports have to be declared.
TEST_BUILD_FLAGS := --scratch-path .build/tests -debug-info-format none -Xswiftc -wmo -Xswiftc -no-emit-module-separately-wmo \
  -Xswiftc -num-threads -Xswiftc 2 --explicit-target-dependency-import-check error
.NOTPARALLEL:
SHELL := /bin/bash

# The program with AddressSanitizer (SANITIZE=address) or ThreadSanitizer (thread) is built apart.
SANITIZE ?= none
ifeq ($(filter $(SANITIZE),none address thread),)
$(error SANITIZE is none, address or thread)
endif
ifeq ($(SANITIZE),none)
# Swift's own libraries are linked in, as in what is installed: a program with shared ones takes a seventh more CPU for a request.
BUILD_FLAGS := --static-swift-stdlib
else
BUILD_FLAGS := --scratch-path .build/$(SANITIZE) --sanitize=$(SANITIZE)
endif
PROGRAM := $(if $(filter none,$(SANITIZE)),.build/release,.build/$(SANITIZE)/release)/packager
# Tests that measure memory, time or players, of which a sanitizer takes several times as much.
MEASURING := MemoryTests|CostTests

# What is installed is built apart: Swift's own libraries are linked in, and no path of this machine is.
DIST := .build/dist
DIST_FLAGS := --scratch-path $(DIST) -c release --static-swift-stdlib \
  -Xswiftc -file-prefix-map -Xswiftc $(CURDIR)=. -Xcc -ffile-prefix-map=$(CURDIR)=.
PREFIX ?= /usr/local
# Modules in Swift, of which DocC makes pages, and where the site goes.
MODULES := $(filter-out CFFmpeg CFairPlayProvider CGlibc COpenSSL CSQLite BuildInformation EmbeddedFiles,$(notdir $(wildcard Sources/[A-Z]*)))
SITE := $(CURDIR)/.build/site
VERSION := $(shell sed -n 's/.*number = "\(.*\)"/\1/p' Sources/packager/Commands/Version.swift)
# Debian's: 0.3.0+git20261127.3f2a1b9-1, later than any before it.
DEB_VERSION = $(VERSION)+git$(shell git log -1 --format=%cd.%h --date=format:%Y%m%d%H%M)-1
ARCHITECTURE = $(shell dpkg --print-architecture)
DEB = .build/packager_$(DEB_VERSION)_$(ARCHITECTURE).deb

.PHONY: run run-tls build dist install package package-check version test test-all test-sanitized sanitize-given $(TEST_GROUPS) check bench bench-keys bench-service bench-low-latency bench-push bench-past drills soak soak-program fuzz mutate format lint docs libraries judges clean

## Package the sample as a looping live feed: cbcs, keys that change every 30 s, a player page.
run: build
	.build/release/packager --input Samples/feed.ts --loop --segment-duration 2 --encryption sample-aes \
	  --key-rotation 30 --state state

## The same over HTTPS, for browsers on other machines: with a certificate authority of its own, in state/tls.
run-tls: build
	@$(call install,openssl)
	@Config/system/local-certificate.sh state/tls 8443
	.build/release/packager --input Samples/feed.ts --loop --segment-duration 2 --encryption sample-aes \
	  --key-rotation 30 --state state --listen 0.0.0.0:8443 \
	  --tls-certificate state/tls/server.pem --tls-private-key state/tls/server.key

## Build .build/release/packager, or with SANITIZE=address or thread .build/address/release/packager and so on.
build: libraries $(if $(filter thread,$(SANITIZE)),.build/thread/sanitizer.so)
	swift build $(BUILD_FLAGS) -c release --product packager

.build/thread/sanitizer.so: Tests/System/thread_sanitizer.c
	@mkdir -p $(@D)
	$(dir $(realpath $(shell command -v swift)))clang -Wall -Wextra -O2 -shared -fPIC -o $@ $<

## Build what is installed: the program, its symbols apart, manual pages and completions for shells, in .build/dist/root.
dist: libraries
	@$(call install,binutils)
	swift build $(DIST_FLAGS) --product packager
	Config/system/stage.sh $(DIST)/release/packager $(DIST)/root

## Install below PREFIX, and the unit for systemd; DESTDIR is put before all paths.
install: dist
	install -d $(DESTDIR)$(PREFIX)
	cp -a $(DIST)/root/usr/. $(DESTDIR)$(PREFIX)/
	install -D -m 644 Config/packager.yaml $(DESTDIR)$(PREFIX)/share/doc/packager/packager.yaml
	sed 's|/usr/bin/packager|$(PREFIX)/bin/packager|' Config/system/packager.service \
	  | install -D -m 644 /dev/stdin $(DESTDIR)$(PREFIX)/lib/systemd/system/packager.service

## Make a Debian package, and one with the symbols.
package: dist
	@$(call install,dpkg-dev)
	Config/system/debian.sh $(DIST) $(DEB_VERSION) .build
	@ls -l .build/packager*_$(DEB_VERSION)_*.deb

## Try the package, its service under systemd, and the last stage of the Containerfile, in bare Debians 12 that are made for it;
## and the image itself, where podman or buildah can build it.
package-check: package
	@$(call install,debootstrap systemd-container lintian ffmpeg curl openssl)
	lintian --allow-root --fail-on error $(DEB)
	$(SUDO) Tests/System/clean_root.sh $(DEB) Samples/feed.ts
	$(SUDO) Tests/System/service_boot.sh $(DEB) Samples/feed.ts
	$(SUDO) Tests/System/container_stage.sh $(DEB) Samples/feed.ts
	$(SUDO) Tests/System/container_image.sh Samples/feed.ts

## Print the version, and that of the package.
version:
	@echo '$(VERSION) $(DEB_VERSION)'

## Run the tests: units first, then the real program against software that we did not write.
test test-sanitized: export OPTIMIZE_SOURCES := 1
test: libraries
	@mkdir -p .build; rm -f .build/failures; echo "$$(date +%T) begins to build" > .build/course
	@# What judges the output comes over the network while the compiler has the processor.
	@$(MAKE) --no-print-directory judges > .build/judges.log 2>&1 & judges=$$!; \
	Tests/System/build_tests.sh $(TEST_BUILD_FLAGS); built=$$?; \
	wait $$judges || { cat .build/judges.log; exit 1; }; exit $$built
	@echo "$$(date +%T) all is built" >> .build/course
	@$(MAKE) --no-print-directory --keep-going $(TEST_GROUPS); code=$$?; \
	cat .build/course; cat .build/failures 2> /dev/null; exit $$code

## Run the tests with every combination of feeds and formats, of which `make test` takes some.
test-all: export TEST_EXTENT := all
test-all:
	@$(MAKE) --no-print-directory test

## Run the end-to-end tests with SANITIZE=address or thread, and print what the sanitizer reports.
test-sanitized: export TEST_PACKAGER := $(CURDIR)/$(PROGRAM)
test-sanitized: export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH := $(CORES)
test-sanitized: REPORTS := .build/$(SANITIZE)/reports
test-sanitized: sanitize-given build judges
	Tests/System/build_tests.sh $(TEST_BUILD_FLAGS)
	@rm -rf $(REPORTS); mkdir -p $(REPORTS)
	@eval "$$(Tests/System/sanitizer.py --environment $(SANITIZE) $(REPORTS))"; \
	Tests/System/test_group.sh $@ 60 --filter '$(PROGRAMS)' --skip '$(PLAYERS)|$(PAIRS)|$(GREEDY)|$(MEASURING)'; code=$$?; \
	Tests/System/sanitizer.py $(REPORTS) && exit $$code

sanitize-given:
	@[ $(SANITIZE) != none ] || { echo 'give SANITIZE=address or SANITIZE=thread'; exit 2; }

$(TEST_GROUPS): export OPTIMIZE_SOURCES := 1
# A test that computes holds a thread of the shared pool, and there are as many of these as cores: where all tests are begun at
# once, those that wait for a process or a socket find no thread for most of a minute.
test-units test-waiting test-computing: export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH := $(shell echo $$((4 * $(CORES))))
test-units:
	@Tests/System/test_group.sh $@ $(GROUP_MINUTES) --skip '$(WAITING)|$(COMPUTING)|$(PROGRAMS)'
test-computing:
	@Tests/System/test_group.sh $@ $(GROUP_MINUTES) --filter '$(COMPUTING)'
test-waiting:
	@Tests/System/test_group.sh $@ $(GROUP_MINUTES) --filter '$(WAITING)' --skip '$(COMPUTING)'
test-players: export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH := $(shell echo $$((3 * $(CORES) / 2)))
test-players:
	@Tests/System/test_group.sh $@ $(GROUP_MINUTES) --filter '$(PLAYERS)' --skip '$(PAIRS)' $(SKIPPED)
test-end-to-end: export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH := $(shell echo $$((3 * $(CORES))))
test-end-to-end:
	@Tests/System/test_group.sh $@ $(GROUP_MINUTES) --filter '$(PROGRAMS)' --skip '$(PLAYERS)|$(PAIRS)|$(GREEDY)' $(SKIPPED)
test-pairs: export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH := $(shell echo $$((5 * $(CORES) / 2)))
test-pairs:
	@Tests/System/test_group.sh $@ $(GROUP_MINUTES) --filter '$(PAIRS)' $(SKIPPED)
test-greedy: export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH := $(shell echo $$((3 * $(CORES) / 2)))
test-greedy:
	@Tests/System/test_group.sh $@ $(GROUP_MINUTES) --filter '$(GREEDY)' $(SKIPPED)

## Look for what the formatter would change.
lint:
	swift format lint --strict --recursive $(SOURCES)

## Everything that a change must pass.
check: lint judges
	$(MAKE) test-all docs

# ONLY has words in the names of cases, and RECORD=1 writes down what is measured.
BENCH_FLAGS = $(if $(ONLY),--only $(ONLY)) $(if $(RECORD),--record)

## Measure CPU and memory side by side with FFmpeg, Shaka Packager and nginx, and compare the ratios with the recorded ones.
bench: build judges
	swift build $(BUILD_FLAGS) -c release --product publication
	@$(call install,$(YARDSTICKS))
	$(PYTHON) Tests/Benchmarks/bench.py $(BENCH_FLAGS)

## Measure what a change of keys costs the key server: all viewers at once beside each at a moment of its own.
bench-keys: build
	swift build $(BUILD_FLAGS) -c release --product keys
	python3 Tests/Benchmarks/keys.py

## Measure what it costs to start, to change the configuration and to be watched, and what a core carries.
bench-service: build
	@$(call install,ffmpeg)
	python3 Tests/Benchmarks/service.py $(BENCH_FLAGS)

## Measure how soon a part is answered, reloads that wait, viewers by parts, 100 channels, channels beside those without parts, and
## how late pictures are on the screen of a browser.
bench-low-latency: build judges
	$(PYTHON) Tests/Benchmarks/low_latency.py $(if $(ONLY),--only $(ONLY))

## Measure how soon a slot can be read from a store that takes its time, and what a store that is away costs.
bench-push: build
	@$(call install,ffmpeg)
	python3 Tests/Benchmarks/push.py $(if $(ONLY),--only $(ONLY)) $(if $(AWAY),--away $(AWAY))

## Measure what a recording of a day costs: a start, playlists of a day, 1,000 ranges a second, and segments beside nginx.
bench-past: build
	swift build $(BUILD_FLAGS) -c release --product recorded
	@$(call install,nginx-light $(YARDSTICKS))
	python3 Tests/Benchmarks/past.py $(if $(ONLY),--only $(ONLY))

## Rehearse every failure that there is a scenario for; the report is in drills/index.html.
drills: build judges
	.build/release/packager drill Config/drills --report drills

## Live through a week with a fault every minute, as fast as the machine can, on each of two clocks.
soak: libraries
	SOAK_DAYS=7 swift test --scratch-path .build/soak -c release -Xswiftc -enable-testing --filter SoakTests

## Run the whole program for so many minutes, fed, watched and disturbed, and look at what it takes; also with SANITIZE.
soak-program: MINUTES ?= 120
soak-program: build judges
	$(PYTHON) Tests/System/soak.py --minutes $(MINUTES) --sanitize $(SANITIZE) --packager $(PROGRAM)

## Feed everything that reads strangers' bytes to a coverage-guided fuzzer, for so many minutes in all.
fuzz: MINUTES ?= 20
fuzz: libraries
	FUZZ_DRIVER=$(FUZZ_DRIVER) swift build --scratch-path .build/fuzz -c release --product fuzz
	python3 Tests/Fuzz/fuzz.py --minutes $(MINUTES)

## Feed the whole program damaged feeds, on good and bad disks, and check what it publishes.
mutate: MINUTES ?= 20
# A fault that is found must not look like a job that is not done.
mutate: export ASAN_OPTIONS := exitcode=99:detect_leaks=0:quarantine_size_mb=16
mutate: build judges
	python3 Tests/Fuzz/mutate.py --minutes $(MINUTES) --packager $(PROGRAM)

format:
	swift format --in-place --recursive $(SOURCES)

## Make one site of the guide and of every module's articles and symbols, in .build/site.
docs: libraries .venv/installed
	mkdir -p $(SITE)
	DOCUMENTATION=1 swift package --disable-sandbox generate-documentation --enable-experimental-combined-documentation \
	  --hosting-base-path reference --output-path $(SITE)/reference --symbol-graph-minimum-access-level package \
	  $(addprefix --target ,$(MODULES))
	$(PYTHON) docs/site/site.py $(SITE)

libraries:
	@$(call install,$(LIBRARIES))

judges: libraries .venv/installed .venv/bin/promtool .venv/bin/prometheus
	@# Debian's Traffic Server would take port 8080, the packager's own, as soon as it is installed.
	@[ -e /usr/bin/traffic_server ] || { $(SUDO) mkdir -p /etc/systemd/system && \
	  $(SUDO) ln -sf /dev/null /etc/systemd/system/trafficserver.service; }
	@$(call install,$(JUDGES))

.venv/installed: Tests/requirements.txt
	@$(call install,python3-venv)
	python3 -m venv .venv
	$(PYTHON) -m pip install --quiet --requirement $<
	# Only for the hls.js that it carries; what it needs itself is left out.
	$(PYTHON) -m pip install --quiet --no-deps gradio==6.31.0
	touch $@

# Prometheus and its own checker, out of Debian's package, which would start a server if it were installed.
.venv/bin/promtool .venv/bin/prometheus &: .venv/installed
	cd .venv && apt-get download -q prometheus
	for program in promtool prometheus; do \
	  dpkg-deb --fsys-tarfile .venv/prometheus_*.deb | tar -xO ./usr/bin/$$program > .venv/bin/$$program.new && \
	  chmod +x .venv/bin/$$program.new && mv .venv/bin/$$program.new .venv/bin/$$program || exit 1; \
	done
	rm .venv/prometheus_*.deb

# Asks the package manager only for what is missing.
define install
missing=$$(for p in $(1); do dpkg-query -W -f '$${Status}' $$p 2>/dev/null | grep -q 'ok installed' || echo $$p; done); \
if [ -n "$$missing" ]; then \
  $(SUDO) apt-get update -q && \
  $(SUDO) env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $$missing; \
fi
endef

clean:
	rm -rf .build .venv state out

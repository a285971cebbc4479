#!/usr/bin/env bash
# Builds the tests without an index of the sources: build_tests.sh OPTION…
# SwiftPM looks for tests of XCTest in that index, and has the compiler write it for all sources, which takes a fifth of its time.
# Where it finds an entry point of this name, it does not look. `swift test` is to find none.
set -euo pipefail
trap 'rm -f Tests/XCTMain.swift' EXIT
cp Tests/System/AllTests.swift Tests/XCTMain.swift
swift build --build-tests --disable-index-store "$@"

#!/usr/bin/env bash
# Runs one group of the tests: test_group.sh NAME MINUTES OPTION…
# Says how long it took, and what failed; a group that takes longer than it may is ended, and what still ran is named.
# What is said is kept in .build/course and .build/failures for the end of all groups.
set -uo pipefail
name=$1 minutes=$2
shift 2
log=.build/$name.log events=.build/$name.events
begun=$SECONDS
mkdir -p .build
: >"$log"
say() { sed "s/^/$(date +%T) $name: /" | tee -a "$1"; }
plain() { sed 's/\x1b\[[0-9;]*m//g' "$log"; }

# Into a file, which is followed: what a test leaves behind would hold a pipe open. In a session of its own, by which that is
# found and ended.
# SwiftPM would take ten seconds to see that all is built.
setsid timeout --signal=INT --kill-after=20 "${minutes}m" .build/tests/debug/packagerPackageTests.xctest --testing-library swift-testing \
  --event-stream-output-path "$events" "$@" >"$log" 2>&1 &
session=$!
trap 'pkill -KILL --session $session; exit 130' INT TERM
tail --lines=+1 --follow --pid=$session "$log" &
wait $session
code=$?
wait
pkill -KILL --session $session

if [ $code -ne 0 ]; then
  plain | grep -aE '(✘|↳ [^TL/]|^error:|^timeout:|Fatal error:)' | cut -c 1-500 | say .build/failures
fi
if [ $code -eq 124 ] || [ $code -gt 128 ]; then
  # A test that crashes ends all, with the number of its signal and 128.
  [ $((SECONDS - begun)) -ge $((60 * minutes)) ] && ended="after $minutes minutes" || ended="by signal $((code - 128))"
  {
    echo "ended $ended, while these ran:"
    awk -F '"testID":"' '{ split($2, id, "\"") }
      id[1] ~ /\(/ && /"kind":"testStarted"/ { runs[id[1]] }
      /"kind":"testEnded"/ { delete runs[id[1]] }
      END { for (test in runs) { gsub(/\\\//, "/", test); print test } }' "$events"
  } | say .build/failures
fi
echo "took $((SECONDS - begun)) s$([ $code -eq 0 ] || echo ', and failed')" | say .build/course
exit $code

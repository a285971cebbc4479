"""Runs libFuzzer on every reader for its share of the time, and says what it found.

    fuzz.py [--minutes N] [--reader NAME]

What it learns is kept in .build/fuzz/corpus and gone on with. An input that breaks a reader is minimized by hand if need
be, goes to Tests/Fuzz/Corpus/READER, and is replayed by `make test` from then on.
"""
import argparse
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).parents[2]
FUZZ = ROOT / ".build/fuzz/release/fuzz"
# A whole feed is slow, and needs the more time.
SHARES = {"feed": 4}
LIMITS = ["-timeout=10", "-rss_limit_mb=1024", "-max_len=60000", "-print_final_stats=1", "-use_value_profile=1"]


def fuzz(reader, seconds):
    grown = ROOT / ".build/fuzz/corpus" / reader
    found = ROOT / ".build/fuzz/found" / reader
    for directory in (grown, found):
        directory.mkdir(parents=True, exist_ok=True)
    seeds = ROOT / "Tests/Fuzz/Corpus" / reader
    command = [FUZZ, reader, *LIMITS, f"-max_total_time={int(seconds)}", f"-artifact_prefix={found}/", grown, seeds]
    environment = {**os.environ, "SWIFT_BACKTRACE": "enable=no"}
    run = subprocess.run([str(part) for part in command], capture_output=True, text=True, errors="replace", env=environment)
    stat = {name: value for name, value in re.findall(r"stat::(\w+):\s+(\d+)", run.stderr)}
    counts = re.findall(r"^#(\d+)\s.*cov: (\d+) ft: (\d+) corp: (\d+)", run.stderr, re.M)
    last = counts[-1] if counts else ("0", "0", "0", "0")
    executions = stat.get("number_of_executed_units", last[0])
    line = f"{reader:16} {executions:>9} executions {last[1]:>6} edges {last[2]:>7} features {last[3]:>5} inputs"
    artifact = re.search(r"Test unit written to (\S+)", run.stderr)
    if artifact:
        why = re.search(r"(Fatal error: .*|ERROR: libFuzzer: .*|SUMMARY: .*)", run.stderr)
        line += f"\n  {why.group(1) if why else 'it broke'}\n  {artifact.group(1)}\n  add it to Tests/Fuzz/Corpus/{reader}"
    elif run.returncode:
        line += f"\n  exit {run.returncode}: {run.stderr[-500:]}"
    print(line, flush=True)
    return run.returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--reader", action="append")
    parser.add_argument("--jobs", type=int, default=max((os.cpu_count() or 2) // 2, 1))
    arguments = parser.parse_args()
    readers = arguments.reader or subprocess.run([FUZZ], capture_output=True, text=True, check=True).stdout.split()
    share = arguments.minutes * 60 * arguments.jobs / sum(SHARES.get(reader, 1) for reader in readers)
    with ThreadPoolExecutor(arguments.jobs) as pool:
        done = list(pool.map(lambda reader: fuzz(reader, share * SHARES.get(reader, 1)), readers))
    sys.exit(0 if all(done) else 1)


if __name__ == "__main__":
    main()

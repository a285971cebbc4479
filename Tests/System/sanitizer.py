#!/usr/bin/env python3
"""Prints the distinct reports that AddressSanitizer and ThreadSanitizer have left, and ends with 1 where there are any.

Usage: sanitizer.py [--environment address|thread] DIRECTORY

With --environment it prints the variables by which programs that are run from a shell write there.
"""

import collections
import os
import pathlib
import re
import shlex
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FIRST_LINES = 14
# Two reports of one fault differ in them.
ADDRESS = re.compile(r"0x[0-9a-f]+|pid=\d+|==\d+==")
# libavformat cancels the thread of a UDP feed while it reads, which ThreadSanitizer does not know how to end: no fault, but the
# program is gone.
CANCELLED = "finished with ignores enabled"


def environment(kind, directory):
    """Has a sanitizer write to a directory, and go on where it can.

    Leaks are not looked for: Swift keeps bits of its own in pointers, and what only such pointers lead to would seem lost.
    """
    path = f"log_path={pathlib.Path(directory).resolve()}/report"
    if kind == "address":
        return {"ASAN_OPTIONS": f"{path}:detect_leaks=0"}
    return {"TSAN_OPTIONS": f"{path}:exitcode=0:history_size=4", "LD_PRELOAD": str(ROOT / ".build/thread/sanitizer.so")}


def split(text):
    """The reports of a file, each from the line that names the fault on."""
    starts = [found.start() for found in re.finditer(r"^.*(?:ERROR: \w+Sanitizer|WARNING: \w+Sanitizer|runtime error): ", text, re.M)]
    reports = [text[start:end].rstrip("=\n") for start, end in zip(starts, [*starts[1:], len(text)])]
    return reports or ([text] if text.strip() else [])


def kind(report):
    """The summary, which names fault and place, or the first line where there is none."""
    summary = re.search(r"^SUMMARY: .*", report, re.M)
    return ADDRESS.sub("N", summary.group() if summary else report.splitlines()[0])


def distinct(directory):
    """The first report of each fault, and how often it was reported."""
    first, counts = {}, collections.Counter()
    for path in sorted(pathlib.Path(directory).glob("report*")):
        for report in split(path.read_text(errors="replace")):
            if CANCELLED in report:
                continue
            first.setdefault(kind(report), report)
            counts[kind(report)] += 1
    return [(first[name], count) for name, count in counts.most_common()]


def show(directory):
    """Prints them, and says how many there are."""
    found = distinct(directory)
    for report, count in found:
        print(f"\nreported {count} times:\n" + "\n".join(report.splitlines()[:FIRST_LINES]))
    print(f"{len(found)} distinct reports of sanitizers in {os.path.relpath(directory)}")
    return len(found)


if __name__ == "__main__":
    if sys.argv[1] == "--environment":
        print("".join(f"export {name}={shlex.quote(value)}\n" for name, value in environment(*sys.argv[2:]).items()), end="")
    else:
        sys.exit(1 if show(sys.argv[1]) else 0)

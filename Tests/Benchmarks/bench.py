#!/usr/bin/env python3
"""The packager beside FFmpeg, Shaka Packager and nginx, in one run on one machine, and beside what was recorded.

Usage: bench.py [--only WORD...] [--record] [--runs 3] [--minutes 20] [--channels 8] [--seconds 20] ...

Each case prints what it measures and gives ratios, which are printed beside the recorded ones at the end. A row that is more than
15 % worse than on the same machine before is measured once more, and is lost if it is so again; then the exit code is 1, as it is for a row without a record. A peer
that is not installed is skipped, and said to be. --record writes recorded.json and the table of the guide instead.

files.py   a stored feed to HLS on disk, in every kind of segment that a peer can write, too
live.py    live channels by UDP; playlists with many date ranges and subtitles; how late a slot is listed
origin.py  CPU a request
"""

import argparse
import contextlib
import pathlib
import shutil
import sys
import tempfile
import time

import files
import live
import origin
from ledger import Ledger


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", default=[""], metavar="WORD", help="cases with one of these words in their names")
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--list", action="store_true", help="print the names of the cases")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--minutes", type=int, default=20, help="length of stored feeds")
    parser.add_argument("--channels", type=int, default=8, help="by UDP")
    parser.add_argument("--seconds", type=int, default=20, help="of a run with live channels")
    parser.add_argument("--slots", type=int, default=200)
    parser.add_argument("--ranges", type=int, default=1000)
    parser.add_argument("--request-seconds", type=int, default=4, help="of a run with requests")
    parser.add_argument("--connections", type=int, default=64)
    arguments = parser.parse_args()
    begin, ledger = time.monotonic(), Ledger()
    with tempfile.TemporaryDirectory(prefix="packager-bench-") as directory, contextlib.ExitStack() as stack:
        work = pathlib.Path(directory)
        cases = [*files.cases(arguments, work), *live.cases(arguments, work), *origin.cases(arguments, work, stack)]
        if arguments.list:
            return print("\n".join(case.name for case in cases))
        for case in cases:
            if not any(word in case.name for word in arguments.only):
                continue
            if missing := [program for program in case.needs if not shutil.which(program)]:
                ledger.skip(case, f"{', '.join(missing)} missing")
            else:
                ledger.measure(case)
    code = ledger.verdict()
    print(f"{(time.monotonic() - begin) / 60:.0f} minutes")
    if arguments.record:
        ledger.record(cases)
    sys.exit(0 if arguments.record else code)


if __name__ == "__main__":
    main()

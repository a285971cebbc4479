"""The ratios that were recorded, beside today's.

recorded.json has a line for each row and machine: its name, the ratio of the packager to the peer that the name ends with, its date
and its machine. A lower ratio is better. Ratios differ between processors, so a row fails only beside the record of the same machine.
"""

import dataclasses
import datetime
import json
import sys
from typing import Callable

from measuring import ROOT, machine, write_table

PATH = ROOT / "Tests/Benchmarks/recorded.json"
HEADING = "Beside other software"
# A loss of more than this, in two measurements, is a failure.
TOLERANCE = 1.15


@dataclasses.dataclass(frozen=True)
class Case:
    """A measurement that prints what it finds, and returns ratios by what they are of."""

    name: str
    measure: Callable[[], dict[str, float]]
    # Programs without which it cannot be done.
    needs: tuple[str, ...] = ()

    def rows(self):
        return {f"{self.name}: {what}": round(ratio, 3) for what, ratio in self.measure().items()}


class Ledger:
    def __init__(self):
        self.all = json.loads(PATH.read_text())
        self.recorded = {row["row"]: row for row in self.all if row["machine"] == machine()}
        self.elsewhere = {row["row"]: row for row in self.all if row["machine"] != machine()}
        self.today, self.failures, self.skipped = {}, [], {}

    def is_worse(self, row, ratio):
        return row in self.recorded and ratio > TOLERANCE * self.recorded[row]["ratio"]

    def measure(self, case):
        """Measures a case, and once more if a row of it has lost."""
        rows = case.rows()
        worse = [row for row, ratio in rows.items() if self.is_worse(row, ratio)]
        if worse:
            print(f"\nworse than recorded, so once more: {'; '.join(worse)}", flush=True)
            again = case.rows()
            self.failures += [row for row in worse if self.is_worse(row, again.get(row, rows[row]))]
            rows |= {row: min(rows[row], again.get(row, rows[row])) for row in worse}
        self.today |= rows
        for row in self.recorded:
            if row.startswith(f"{case.name}: ") and row not in rows:
                self.skipped[row] = "not measured: its peer is missing"

    def skip(self, case, reason):
        print(f"\n{case.name}: skipped: {reason}", flush=True)
        self.skipped[case.name] = reason

    def verdict(self):
        """Prints all rows, and returns the exit code: 1 if a row has lost twice, or has nothing that it is compared with."""
        print(f"\n{'':64}{'recorded':>10}{'today':>8}{'change':>9}")
        others = set()
        for row, ratio in self.today.items():
            old = self.recorded.get(row) or self.elsewhere.get(row)
            before, change = (f"{old['ratio']:.2f}", f"{100 * (ratio / old['ratio'] - 1):+.0f} %") if old else ("-", "new")
            print(f"{row:64}{before:>10}{ratio:8.2f}{change:>9}{'  LOST' if row in self.failures else ''}")
            if old and old["machine"] != machine():
                others.add(old["machine"])
        for other in sorted(others):
            print(f"Some rows have no record of this machine, {machine()}, and are shown beside that of {other}: they cannot be lost.")
        for name, reason in self.skipped.items():
            print(f"{name:64}  SKIPPED: {reason}")
        unrecorded = [row for row in self.today if row not in self.recorded and row not in self.elsewhere]
        print(f"\n{len(self.today)} rows: {len(self.failures)} lost, {len(unrecorded)} without a record; {len(self.skipped)} skipped")
        return 1 if self.failures or unrecorded else 0

    def record(self, cases):
        """Writes today's ratios, beside those of other rows and machines, and the table of the guide."""
        date, order = datetime.date.today().isoformat(), [case.name for case in cases]
        rows = {(row["row"], row["machine"]): row for row in self.all if row["row"].rsplit(": ", 1)[0] in order}
        for name, ratio in self.today.items():
            rows[name, machine()] = {"row": name, "ratio": ratio, "date": date, "machine": machine()}
        names = list(dict.fromkeys(name for name, _ in rows))
        names.sort(key=lambda name: order.index(name.rsplit(": ", 1)[0]))
        lines = [json.dumps(row) for row in sorted(rows.values(), key=lambda row: (names.index(row["row"]), row["machine"]))]
        PATH.write_text("[\n" + ",\n".join(lines) + "\n]\n")
        write_table(HEADING, table(json.loads(PATH.read_text())))
        print(f"recorded in {PATH.relative_to(ROOT)} and in the guide", file=sys.stderr)


def table(rows):
    """The rows as a table in Markdown, with a column for each machine."""
    machines = sorted({row["machine"] for row in rows})
    dates = [sorted({row["date"] for row in rows if row["machine"] == name}) for name in machines]
    heads = [f"{name}, {' to '.join(dict.fromkeys([found[0], found[-1]]))}" for name, found in zip(machines, dates)]
    lines = [f"| work | of | {' | '.join(heads)} |", "|---|---|" + "---|" * len(machines)]
    for name in dict.fromkeys(row["row"] for row in rows):
        work, peer = name.rsplit(": ", 1)
        ratios = {row["machine"]: f"{row['ratio']:.2f}" for row in rows if row["row"] == name}
        lines.append(f"| {work} | {peer} | {' | '.join(ratios.get(other, '–') for other in machines)} |")
    return lines

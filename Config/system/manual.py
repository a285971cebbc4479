#!/usr/bin/env python3
"""manual.py DIRECTORY: writes packager.1 there, from what `packager --experimental-dump-help` says (mdoc(7))."""

import json
import os
import sys
import time
from pathlib import Path


def escaped(text):
    """Text as roff has it: no line of it is a request."""
    lines = text.replace("\\", "\\e").replace("-", "\\-").splitlines()
    return "\n".join("\\&" + line if line[:1] in (".", "'") else line for line in lines)


def names(argument):
    """The flags of an option, or the name of what has none."""
    value = f" Ar {escaped(argument['valueName'])}" if argument["kind"] != "flag" else ""
    if argument["kind"] == "positional":
        return f"Ar {escaped(argument['valueName'])}"
    dashes = {"long": "Fl \\-", "short": "Fl ", "longWithSingleDash": "Fl "}
    flags = [dashes[name["kind"]] + escaped(name["name"]) for name in argument["names"]]
    return " , ".join(flags) + value


def options(arguments):
    shown = [argument for argument in arguments if argument.get("shouldDisplay", True)]
    if not shown:
        return []
    lines = [".Bl -tag -width Ds"]
    for argument in shown:
        lines += [f".It {names(argument)}", escaped(argument.get("abstract", ""))]
    return lines + [".El"]


def discussion(text):
    """Paragraphs; indented lines stand as they are."""
    lines, is_literal = [], False
    for line in text.splitlines():
        indented = line.startswith("  ")
        if indented != is_literal and line:
            lines.append(".Bd -literal -offset indent" if indented else ".Ed")
            is_literal = indented
        lines.append(escaped(line.strip()) if line else (".Pp" if not is_literal else ""))
    return lines + ([".Ed"] if is_literal else [])


def page(program):
    commands = [command for command in program["subcommands"] if command["commandName"] != "help"]
    default = next(command for command in commands if command["commandName"] == "run")
    day = time.gmtime(int(os.environ.get("SOURCE_DATE_EPOCH", time.time())))
    lines = [
        f".Dd {time.strftime('%B', day)} {day.tm_mday}, {day.tm_year}", ".Dt PACKAGER 1", ".Os", ".Sh NAME", ".Nm packager",
        f".Nd {escaped(program['abstract'].rstrip('.'))}", ".Sh SYNOPSIS",
        ".Nm", ".Op Cm run", ".Op Ar options",
    ]
    for command in commands:
        if command is default:
            continue
        lines += [".Nm", f".Cm {command['commandName']}"]
        if command.get("subcommands"):
            lines.append(".Ar command")
        for argument in command.get("arguments", []):
            if argument["kind"] == "positional":
                value = escaped(argument["valueName"])
                lines.append(f".Op Ar {value}" if argument["isOptional"] else f".Ar {value}")
        lines.append(".Op Ar options")
    lines += [".Sh DESCRIPTION"] + discussion(default.get("discussion", "")) + options(default["arguments"])
    lines.append(".Sh COMMANDS")
    for command in commands:
        if command is not default:
            lines += section(command, command["commandName"])
    lines += [
        ".Sh ENVIRONMENT", "Each option of the default command is also a variable:",
        ".Ev PACKAGER_SEGMENT_DURATION", "is", ".Fl \\-segment\\-duration .",
        ".Sh FILES", ".Bl -tag -width Ds", ".It Pa /etc/packager/packager.yaml",
        "The configuration that the service for systemd reads. It names every setting, with its default.",
        ".It Pa /var/lib/packager", "Where that service keeps its journal and its secrets.", ".El",
        ".Sh EXIT STATUS", "0: ended as asked. 1: something failed. 2: wrong usage or configuration.",
    ]
    return "\n".join(lines) + "\n"


def section(command, name):
    lines = [f".Ss {name}", escaped(command.get("abstract", "")), ".Pp"]
    lines += discussion(command.get("discussion", "")) + options(command.get("arguments", []))
    for inner in command.get("subcommands", []):
        if inner["commandName"] != "help":
            lines += section(inner, f"{name} {inner['commandName']}")
    return lines


program = json.load(sys.stdin)["command"]
Path(sys.argv[1], "packager.1").write_text(page(program), encoding="utf-8")

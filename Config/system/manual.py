#!/usr/bin/env python3
"""manual.py DIRECTORY: writes man1/packager.1 there, from what `packager --experimental-dump-help` says, and
man5/packager.yaml.5, from Config/packager.yaml (mdoc(7)). Both come from the declarations of the settings."""

import json
import os
import re
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


def head(title, section, name, description):
    day = time.gmtime(int(os.environ.get("SOURCE_DATE_EPOCH", time.time())))
    return [
        f".Dd {time.strftime('%B', day)} {day.tm_mday}, {day.tm_year}", f".Dt {title} {section}", ".Os", ".Sh NAME", f".Nm {name}",
        f".Nd {escaped(description)}",
    ]


def page(program):
    commands = [command for command in program["subcommands"] if command["commandName"] != "help"]
    default = next(command for command in commands if command["commandName"] == "run")
    lines = head("PACKAGER", 1, "packager", program["abstract"].rstrip("."))
    lines += [".Sh SYNOPSIS", ".Nm", ".Op Cm run", ".Op Ar options"]
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
        ".Sh CONFIGURATION FILE",
        "A file in YAML has the options of the default command without their hyphens, and several channels. Options win over the",
        "environment, which wins over the file.", ".Xr packager.yaml 5", "lists its keys.", ".Pp",
        ".Nm Cm check\\-config Ar file", "lists everything that would prevent a start.",
        ".Sh SIGNALS", ".Bl -tag -width Ds",
        ".It Dv SIGTERM , SIGINT", "Answers pending requests, writes its state, and exits with 0.",
        ".It Dv SIGHUP", "Reloads the configuration file while all channels stay on air, and reopens the access log.",
        ".It Dv SIGUSR2", "Starts the newly installed program and hands everything over to it: an upgrade without a gap.", ".El",
        ".Sh FILES", ".Bl -tag -width Ds", ".It Pa /etc/packager/packager.yaml",
        "The configuration that the service for systemd reads.",
        ".It Pa /etc/packager/packager.channels.yaml", "The channels that the control API has changed.",
        ".It Pa /var/lib/packager", "The directory in which that service keeps its journal and its secrets.", ".El",
        ".Sh EXIT STATUS", ".Bl -tag -width Ds", ".It 0", "It was told to end, or the job is done.",
        ".It 1", "An internal failure, or the job is not done.",
        ".It 2", "Wrong usage or configuration; a restart does not help.",
        ".It 3", "Standard input has ended, and there is no other feed.", ".El",
        ".Sh SEE ALSO", ".Xr packager.yaml 5 , Xr systemctl 1 , Xr journalctl 1",
    ]
    return "\n".join(lines) + "\n"


def section(command, name):
    lines = [f".Ss {name}", escaped(command.get("abstract", "")), ".Pp"]
    lines += discussion(command.get("discussion", "")) + options(command.get("arguments", []))
    for inner in command.get("subcommands", []):
        if inner["commandName"] != "help":
            lines += section(inner, f"{name} {inner['commandName']}")
    return lines


def keys(text):
    """The keys of an annotated file of settings: name, paragraphs, lines of its value, and true if it is an example."""
    for block in text.split("\n\n"):
        lines = [line.strip() for line in block.splitlines()]
        starts = [index for index, line in enumerate(lines) if re.match(r"(# |- )?[a-z][a-z0-9-]*:( |$)", line)]
        if not starts:
            continue
        paragraphs = [""]
        for line in lines[:starts[-1]]:
            # The fields of a list of mappings.
            if re.match(r"# - [a-z-]+: ", line):
                paragraphs.append("")
            paragraphs[-1] += " " + re.sub("^# (- )?", "", line)
        is_example = lines[starts[-1]].startswith("#")
        value = [re.sub(r"^(# |- )", "", line) for line in lines[starts[-1]:]]
        name, first = value[0].split(":", 1)
        # Of what no channel can be without, there is an example as well.
        yield name, paragraphs, [first.strip()] * bool(first.strip()) + value[1:], is_example or name == "input"


def file_page(text):
    """The page about the file of settings."""
    process, channel = text.split("\nchannels:\n")
    introduction = process.split("\n\n")[0].replace("#", "")
    about_channels = process.rsplit("\n\n", 1)[1]
    lines = head("PACKAGER.YAML", 5, "packager.yaml", "settings of packager") + [".Sh DESCRIPTION"]
    lines += discussion("\n".join(line.removeprefix(" ") for line in introduction.splitlines()))
    for title, part in (("SETTINGS OF THE PROCESS", process), ("SETTINGS OF A CHANNEL", channel)):
        lines.append(f".Sh {title}")
        if part is channel:
            lines.append(escaped(" ".join(line.lstrip("# ") for line in about_channels.splitlines())))
        lines.append(".Bl -tag -width Ds")
        for name, paragraphs, value, is_example in keys(part):
            lines.append(f".It Ic {escaped(name)}")
            for paragraph in paragraphs:
                lines += [escaped(paragraph.strip()), ".Pp"]
            lines.append("Example:" if is_example else "Default:")
            if len(value) == 1:
                lines.append(f".Ql {escaped(value[0])}")
            else:
                lines += [".Bd -literal -offset indent"] + [escaped(line) for line in value] + [".Ed"]
        lines.append(".El")
    return "\n".join(lines + [".Sh SEE ALSO", ".Xr packager 1"]) + "\n"


program = json.load(sys.stdin)["command"]
manual = Path(sys.argv[1])
settings = Path(__file__).parents[1] / "packager.yaml"
(manual / "man1" / "packager.1").write_text(page(program), encoding="utf-8")
(manual / "man5" / "packager.yaml.5").write_text(file_page(settings.read_text(encoding="utf-8")), encoding="utf-8")

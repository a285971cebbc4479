#!/usr/bin/env python3
"""containerfile.py FILE: looks for mistakes in a Containerfile without building it, with its directory as the context.

Each problem is a line `FILE:LINE: …`, and the exit code is then 1. It knows what the reference of Dockerfiles says of instructions, and that
a service has versions of its bases and a user of its own. It does not know what commands do.
"""

import fnmatch
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

INSTRUCTIONS = {
    "ADD", "ARG", "CMD", "COPY", "ENTRYPOINT", "ENV", "EXPOSE", "FROM", "HEALTHCHECK", "LABEL", "ONBUILD", "RUN", "SHELL", "STOPSIGNAL", "USER",
    "VOLUME", "WORKDIR",
}
problems = []


def instructions(text):
    """Each instruction with the number of its first line: (line, name, arguments)."""
    start, joined = None, ""
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("#") or (not line.strip() and start is None):
            continue
        start = start or number
        if line.rstrip().endswith("\\"):
            joined += line.rstrip()[:-1] + " "
            continue
        name, _, arguments = (joined + line).strip().partition(" ")
        yield start, name, arguments.strip()
        start, joined = None, ""
    if start is not None:
        name, _, arguments = joined.strip().partition(" ")
        yield start, name, arguments.strip()


def flags(arguments):
    """The flags that arguments begin with, and the rest."""
    found = {}
    while match := re.match(r"--([a-z-]+)(?:=(\S+))?\s*", arguments):
        found[match[1]] = match[2]
        arguments = arguments[match.end():]
    return found, arguments


def shell(script, interpreter, tell):
    """Has a shell read a script, and run nothing of it."""
    result = subprocess.run([interpreter, "-n", "-c", script], capture_output=True, text=True)
    if result.returncode != 0:
        tell(f"{interpreter} cannot read it: {result.stderr.strip()}")


def command(arguments, tell):
    """A command in one of its two forms: as JSON, or for a shell."""
    if not arguments.startswith("["):
        shell(arguments, "sh", tell)
        return
    try:
        words = json.loads(arguments)
    except json.JSONDecodeError as error:
        tell(f"it begins like JSON and is none: {error}")
        return
    if not words or not all(isinstance(word, str) for word in words):
        tell("it is no list of words")
    elif words[0] in ("sh", "bash") and words[1:2] == ["-c"]:
        shell(words[2], words[0], tell)


def ignored(context):
    file = context / ".dockerignore"
    lines = file.read_text().splitlines() if file.exists() else []
    return [line.strip().strip("/") for line in lines if line.strip() and not line.startswith("#")]


def copied(sources, context, tell):
    """Files of the context, which have to be there and to be sent to the builder."""
    for source in sources:
        paths = list(context.glob(source.strip("/"))) if source not in (".", "./") else [context]
        if not paths:
            tell(f"there is no {source}")
        for path in paths:
            name = str(path.relative_to(context))
            if any(fnmatch.fnmatch(name.split("/")[0], pattern) or fnmatch.fnmatch(name, pattern) for pattern in ignored(context)):
                tell(f".dockerignore leaves out {name}")


class Check:
    """The instructions of a file, one after another."""

    def __init__(self, path):
        self.path, self.context = path, path.resolve().parent
        self.line = 0
        self.stages = []
        # Of the last stage so far.
        self.user, self.has_command = "root", False

    def tell(self, problem):
        problems.append(f"{self.path}:{self.line}: {problem}")

    def read(self):
        for self.line, name, arguments in instructions(self.path.read_text(encoding="utf-8")):
            if name not in INSTRUCTIONS:
                self.tell(f"'{name}' is no instruction")
            elif not arguments:
                self.tell(f"{name} says nothing")
            elif not self.stages and name not in ("FROM", "ARG"):
                self.tell(f"{name} comes before FROM")
            elif handler := getattr(self, f"on_{name.lower()}", None):
                handler(*flags(arguments))
        if not self.stages:
            self.tell("there is no FROM")
        if self.user.split(":")[0] in ("0", "root"):
            self.tell("the image runs as root")
        if not self.has_command:
            self.tell("the image runs nothing: it has neither ENTRYPOINT nor CMD")

    def on_from(self, _, arguments):
        words = arguments.split()
        if len(words) not in (1, 3) or (len(words) == 3 and words[1].upper() != "AS"):
            self.tell("write FROM IMAGE, or FROM IMAGE AS NAME")
        tag = words[0].rsplit("/", 1)[-1]
        if words[0] not in self.stages and "@" not in tag and (":" not in tag or tag.endswith(":latest")):
            self.tell(f"{words[0]} has no version")
        self.stages.append(words[-1] if len(words) == 3 else str(len(self.stages)))
        self.user, self.has_command = "root", False

    def on_run(self, _, arguments):
        command(arguments, self.tell)
        for words in re.findall(r"apt-get install ([^&|;]*)", arguments):
            if not {"-y", "-qy", "-yq", "--yes"} & set(words.split()):
                self.tell("apt-get install asks; give it -y")

    def on_copy(self, flags, arguments):
        words = json.loads(arguments) if arguments.startswith("[") else shlex.split(arguments)
        if len(words) < 2:
            self.tell("it has no source or no destination")
        elif "from" not in flags:
            copied(words[:-1], self.context, self.tell)
        elif flags["from"] not in self.stages[:-1]:
            self.tell(f"there is no stage '{flags['from']}' before this one")

    on_add = on_copy

    def on_cmd(self, _, arguments):
        self.has_command = True
        # After an ENTRYPOINT these are its arguments.
        command(arguments, self.tell)

    on_entrypoint = on_cmd

    def on_healthcheck(self, flags, arguments):
        for name in sorted(set(flags) - {"interval", "timeout", "start-period", "start-interval", "retries"}):
            self.tell(f"HEALTHCHECK has no --{name}")
        kind, _, rest = arguments.partition(" ")
        if kind == "CMD":
            command(rest.strip(), self.tell)
        elif kind != "NONE":
            self.tell("write HEALTHCHECK CMD and a command, or HEALTHCHECK NONE")

    def on_user(self, _, arguments):
        self.user = arguments

    def on_expose(self, _, arguments):
        for port in arguments.split():
            if not re.fullmatch(r"\d{1,5}(-\d{1,5})?(/(tcp|udp|sctp))?", port):
                self.tell(f"'{port}' is no port")

    def on_workdir(self, _, arguments):
        if not arguments.startswith(("/", "$")):
            self.tell(f"{arguments} depends on the directory before; begin it with /")


Check(Path(sys.argv[1])).read()
print(*problems, sep="\n", end="\n" if problems else "")
sys.exit(1 if problems else 0)

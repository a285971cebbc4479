#!/usr/bin/env python3
"""Holds a running control API against the OpenAPI document that it serves.

openapi-spec-validator reads the document. Then schemathesis asks every operation what the document allows and what it does
not, and looks at each answer: no 5xx, no status, media type or key that the document does not have, no operation open to a
client without a token, and 405 for other methods. Prints the report; exits 0 when nothing was wrong, 1 when something was.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path

from openapi_spec_validator import OpenAPIV31SpecValidator


def close(value):
    """Allows answers no key that the document does not list; clients are told to expect some, but from later versions."""
    if isinstance(value, dict):
        if value.get("type") == "object" and "properties" in value:
            value.setdefault("additionalProperties", False)
        for part in value.values():
            close(part)
    elif isinstance(value, list):
        for part in value:
            close(part)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("control", help="URL of the control API, without a slash at its end")
    parser.add_argument("--token", required=True, help="of an administrator")
    parser.add_argument("--document", help="take this document instead of the one that is served")
    arguments = parser.parse_args()

    if arguments.document:
        document = json.loads(Path(arguments.document).read_text())
    else:
        with urllib.request.urlopen(f"{arguments.control}/openapi.json", timeout=10) as answer:
            document = json.load(answer)
    problems = [error.message for error in OpenAPIV31SpecValidator(document).iter_errors()]
    if problems:
        print("\n".join(problems))
        return 1

    close(document)
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory, "openapi.json")
        path.write_text(json.dumps(document))
        command = [
            Path(sys.executable).with_name("schemathesis"), "--config-file", Path(__file__).with_name("schemathesis.toml"),
            "run", path, "--url", arguments.control, "--header", f"Authorization: Bearer {arguments.token}",
            "--report", "json", "--report-json-path", Path(directory, "report.json"), "--no-color",
        ]
        status = subprocess.run(command, cwd=directory, stderr=subprocess.STDOUT, timeout=240, check=False).returncode
        if status != 0:
            return 1
        operations = json.loads(Path(directory, "report.json").read_text())["operations"]
    if operations["tested"] != operations["total"]:
        print(f"not all operations were tested: {operations}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

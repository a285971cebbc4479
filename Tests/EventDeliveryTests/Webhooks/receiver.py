#!/usr/bin/env python3
"""Takes webhooks as its arguments say, and writes a line of JSON for each request that it was sent.

Each path has a behaviour: what is answered to the first requests, in order; the last holds for all that follow. A number is
a status, `hang` an answer that never comes, `close` none at all, `redirect` a 302 to /elsewhere, `signed` 200 to what is
signed as it should be, and `gate` 200 once a line has come through standard input; until then, both are 503.
"""

import hashlib
import hmac
import json
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = b"a secret"
behaviours = {path: answers.split(",") for path, answers in (word.split("=") for word in sys.argv[1:])}
lock = threading.Lock()
opened = threading.Event()


def is_signed(headers, body):
    given = headers.get("X-Packager-Signature", "")
    timestamp = headers.get("X-Packager-Timestamp", "0")
    wanted = hmac.new(SECRET, timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(given, "sha256=" + wanted) and abs(time.time() - int(timestamp)) < 60


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        with lock:
            answers = behaviours.get(self.path, ["404"])
            answer = answers.pop(0) if len(answers) > 1 else answers[0]
            signed = is_signed(self.headers, body)
            if answer in ("signed", "gate"):
                answer = "200" if (signed if answer == "signed" else opened.is_set()) else "503"
            seen = {
                "path": self.path,
                "event": int(self.headers["X-Packager-Event"]),
                "signed": signed,
                "kind": json.loads(body)["kind"],
                "number": json.loads(body)["number"],
                "answer": answer,
            }
            print(json.dumps(seen), flush=True)
        if answer == "hang":
            time.sleep(3600)
        if answer == "close":
            self.close_connection = True
            return
        self.send_response(302 if answer == "redirect" else int(answer))
        if answer == "redirect":
            self.send_header("Location", "/elsewhere")
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_GET = do_POST

    def log_message(self, *arguments):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
print(json.dumps({"port": server.server_port}), flush=True)


def wait_for_line():
    if sys.stdin.readline():
        opened.set()


threading.Thread(target=wait_for_line, daemon=True).start()
server.serve_forever()

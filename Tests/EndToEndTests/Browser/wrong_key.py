#!/usr/bin/env python3
"""Passes everything on from an origin but the keys, of which every byte is changed.

Usage: wrong_key.py ORIGIN   (prints its own URL, ends with its standard input)
"""

import base64
import http.server
import json
import sys
import threading
import urllib.error
import urllib.request

ORIGIN = sys.argv[1]


def spoil(key):
    return bytes(byte ^ 0x55 for byte in key)


def spoil_license(text):
    license = json.loads(text)
    for key in license["keys"]:
        value = base64.urlsafe_b64decode(key["k"] + "==")
        key["k"] = base64.urlsafe_b64encode(spoil(value)).decode().rstrip("=")
    return json.dumps(license).encode()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.forward(None)

    def do_POST(self):
        self.forward(self.rfile.read(int(self.headers.get("Content-Length", 0))))

    def forward(self, body):
        request = urllib.request.Request(ORIGIN + self.path, data=body)
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                status, kind, content = answer.status, answer.headers.get("Content-Type"), answer.read()
        except urllib.error.HTTPError as error:
            status, kind, content = error.code, "text/plain", error.read()
        if status == 200 and "/keys/" in self.path:
            content = spoil(content)
        if status == 200 and self.path.endswith("/clearkey"):
            content = spoil_license(content)
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *arguments):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(f"http://127.0.0.1:{server.server_port}", flush=True)
sys.stdin.read()

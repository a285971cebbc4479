"""A key server that speaks SPEKE 2.1 and 2.0, in a process of its own, of nothing but Python's library.

It prints its port, keeps what it was asked in memory, and misbehaves as the file MODE says at the moment of a request:
    fine            gives keys
    slow            gives them after a minute
    refuse TEXT     answers 422 and the text
    broken          answers 500
    short           gives keys of 15 bytes
    silent          leaves X-Speke-Version out
    other           gives keys of other IDs
"""
import base64
import hashlib
import http.server
import json
import pathlib
import sys
import threading
import time
import xml.etree.ElementTree as tree

CPIX, PSKC = "{urn:dashif:org:cpix}", "{urn:ietf:params:xml:ns:keyprov:pskc}"
mode_file, versions, token = pathlib.Path(sys.argv[1]), sys.argv[2].split(","), sys.argv[3]
requests = []


def value(kid):
    """The key that goes with an ID, the same for ever."""
    return hashlib.sha256(b"speke test " + kid.encode()).digest()[:16]


class Server(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def answer(self, status, body, kind="application/xml", version=None):
        body = body.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("X-Speke-User-Agent", "speke_server.py")
        if version:
            self.send_header("X-Speke-Version", version)
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        """What it was asked, for the test."""
        self.answer(200, json.dumps(requests), "application/json")

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        version = self.headers["X-Speke-Version"]
        mode, _, text = mode_file.read_text().strip().partition(" ")
        document = tree.fromstring(body)
        requests.append({
            "version": version,
            "cpix": document.get("version"),
            "content": document.get("contentId"),
            "type": self.headers["Content-Type"],
            "periods": [dict(period.attrib) for period in document.iter(CPIX + "ContentKeyPeriod")],
            "schemes": [key.get("commonEncryptionScheme") for key in document.iter(CPIX + "ContentKey")],
            "keys": {key.get("kid").replace("-", ""): value(key.get("kid")).hex() for key in document.iter(CPIX + "ContentKey")},
            "tracks": [rule.get("intendedTrackType") for rule in document.iter(CPIX + "ContentKeyUsageRule")],
        })
        if self.headers["Authorization"] != f"Bearer {token}":
            return self.answer(401, "who are you?", "text/plain")
        if version not in versions:
            return self.answer(422, "Unsupported SPEKE version", "text/plain")
        if mode == "slow":
            time.sleep(60)
        if mode == "refuse":
            return self.answer(422, text, "text/plain")
        if mode == "broken":
            return self.answer(500, "out of order", "text/plain")
        for element in document.iter():
            if mode == "other" and element.get("kid"):
                element.set("kid", "00000000" + element.get("kid")[8:])
        for element in document.iter(CPIX + "ContentKey"):
            secret_bytes = value(element.get("kid"))[: 15 if mode == "short" else 16]
            secret = tree.SubElement(tree.SubElement(element, CPIX + "Data"), PSKC + "Secret")
            tree.SubElement(secret, PSKC + "PlainValue").text = base64.b64encode(secret_bytes).decode()
        for system in document.iter(CPIX + "DRMSystem"):
            for signaling in system.iter(CPIX + "HLSSignalingData"):
                signaling.text = base64.b64encode(b"#EXT-X-KEY:METHOD=SAMPLE-AES").decode()
        # Prefixes of its own: only namespaces count.
        text = '<?xml version="1.0" encoding="UTF-8"?>' + tree.tostring(document, encoding="unicode")
        self.answer(200, text, version=None if mode == "silent" else version)


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
server.daemon_threads = True
print(server.server_port, flush=True)
# Standard input ends with the test.
threading.Thread(target=server.serve_forever, daemon=True).start()
sys.stdin.read()

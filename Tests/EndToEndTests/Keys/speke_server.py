"""A key server that speaks SPEKE 2.1 and 2.0, in a process of its own, of nothing but Python's library and OpenSSL's program.

It prints its port, keeps what it was asked in memory, and misbehaves as the file MODE says at the moment of a request. With
a further argument it speaks TLS, with the certificate and key that this file has at the moment of a connection.
    fine            gives keys
    slow            gives them after a minute
    refuse TEXT     answers 422 and the text
    broken          answers 500
    short           gives keys of 15 bytes
    silent          leaves X-Speke-Version out
    other           gives keys of other IDs
    schema          refuses what the schema of CPIX 2.4 does not have
"""
import base64
import hashlib
import hmac
import http.server
import json
import os
import pathlib
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import uuid
import xml.etree.ElementTree as tree

DS, ENC = "{http://www.w3.org/2000/09/xmldsig#}", "{http://www.w3.org/2001/04/xmlenc#}"
CPIX, PSKC = "{urn:dashif:org:cpix}", "{urn:ietf:params:xml:ns:keyprov:pskc}"
FORMATS = {
    "94ce86fb-07ff-4f43-adb8-93d2fa968ca2": "com.apple.streamingkeydelivery",
    "edef8ba9-79d6-4ace-a3c8-27dcd51d21ed": "urn:uuid:edef8ba9-79d6-4ace-a3c8-27dcd51d21ed",
    "9a04f079-9840-4286-ab92-e65be0885f95": "com.microsoft.playready",
}
mode_file, versions, token = pathlib.Path(sys.argv[1]), sys.argv[2].split(","), sys.argv[3]
certificate = sys.argv[4] if len(sys.argv) > 4 else None
requests = []


def value(kid):
    """The key that goes with an ID, the same for ever."""
    return hashlib.sha256(b"speke test " + kid.encode()).digest()[:16]


def openssl(*arguments, data):
    return subprocess.run(["openssl", *arguments], input=data, capture_output=True, check=True).stdout


def encrypted(parent, name, algorithm, cipher):
    """Adds a value of XML Encryption."""
    element = tree.SubElement(parent, name)
    tree.SubElement(element, ENC + "EncryptionMethod", Algorithm=algorithm)
    value = tree.SubElement(tree.SubElement(element, ENC + "CipherData"), ENC + "CipherValue")
    value.text = base64.b64encode(cipher).decode()


class Envelope:
    """Encrypts content keys for the recipient that a request names."""

    def __init__(self, delivery):
        self.key, self.mac = os.urandom(32), os.urandom(64)
        certificate = delivery.find(f"{CPIX}DeliveryKey/{DS}X509Data/{DS}X509Certificate").text
        with tempfile.NamedTemporaryFile(suffix=".der") as file:
            file.write(base64.b64decode(certificate))
            file.flush()
            oaep = ["-certin", "-keyform", "DER", "-inkey", file.name, "-pkeyopt", "rsa_padding_mode:oaep"]
            wrapped = [openssl("pkeyutl", "-encrypt", *oaep, data=key) for key in (self.key, self.mac)]
        algorithm = "http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p"
        secret = tree.SubElement(tree.SubElement(tree.SubElement(delivery, CPIX + "DocumentKey"), CPIX + "Data"), PSKC + "Secret")
        encrypted(secret, PSKC + "EncryptedValue", algorithm, wrapped[0])
        method = tree.SubElement(delivery, CPIX + "MACMethod", Algorithm="http://www.w3.org/2001/04/xmldsig-more#hmac-sha512")
        encrypted(method, CPIX + "Key", algorithm, wrapped[1])

    def seal(self, secret, data):
        vector = os.urandom(16)
        cipher = vector + openssl("enc", "-aes-256-cbc", "-K", self.key.hex(), "-iv", vector.hex(), data=data)
        encrypted(secret, PSKC + "EncryptedValue", "http://www.w3.org/2001/04/xmlenc#aes256-cbc", cipher)
        code = hmac.new(self.mac, cipher, "sha512").digest()
        tree.SubElement(secret, PSKC + "ValueMAC").text = base64.b64encode(code).decode()


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
            "recipients": len(list(document.iter(CPIX + "DeliveryData"))),
            "periods": [dict(period.attrib) for period in document.iter(CPIX + "ContentKeyPeriod")],
            "schemes": [key.get("commonEncryptionScheme") for key in document.iter(CPIX + "ContentKey")],
            "keys": {key.get("kid").replace("-", ""): value(key.get("kid")).hex() for key in document.iter(CPIX + "ContentKey")},
            "playlists": sorted({line.get("playlist") for line in document.iter(CPIX + "HLSSignalingData")}),
            "tracks": [rule.get("intendedTrackType") for rule in document.iter(CPIX + "ContentKeyUsageRule")],
        })
        if self.headers["Authorization"] != f"Bearer {token}":
            return self.answer(401, "who are you?", "text/plain")
        if version not in versions:
            return self.answer(422, "Unsupported SPEKE version", "text/plain")
        if mode == "schema" and not set(requests[-1]["playlists"]) <= {"media", "multiVariant"}:
            return self.answer(400, "HLSSignalingData@playlist is not of the enumeration", "text/plain")
        if mode == "slow":
            time.sleep(60)
        if mode == "refuse":
            return self.answer(422, text, "text/plain")
        if mode == "broken":
            return self.answer(500, "out of order", "text/plain")
        for element in document.iter():
            if mode == "other" and element.get("kid"):
                element.set("kid", "00000000" + element.get("kid")[8:])
        delivery = document.find(f"{CPIX}DeliveryDataList/{CPIX}DeliveryData")
        envelope = Envelope(delivery) if delivery is not None else None
        for element in document.iter(CPIX + "ContentKey"):
            tree.SubElement(element, CPIX + "HDCPData", HLSHDCPLevel="TYPE-1")
            secret_bytes = value(element.get("kid"))[: 15 if mode == "short" else 16]
            secret = tree.SubElement(tree.SubElement(element, CPIX + "Data"), PSKC + "Secret")
            if envelope:
                envelope.seal(secret, secret_bytes)
            else:
                tree.SubElement(secret, PSKC + "PlainValue").text = base64.b64encode(secret_bytes).decode()
        for system in document.iter(CPIX + "DRMSystem"):
            uri, key_format = f"skd://server/{system.get('kid')}", FORMATS.get(system.get("systemId"), "identity")
            system.set("HLSAllowedCPC", f"{key_format}:Main")
            for signaling in system.iter(CPIX + "HLSSignalingData"):
                tag = "#EXT-X-KEY" if signaling.get("playlist") == "media" else "#EXT-X-SESSION-KEY"
                line = f'{tag}:METHOD=SAMPLE-AES,URI="{uri}",KEYFORMAT="{key_format}",KEYFORMATVERSIONS="1"'
                signaling.text = base64.b64encode(line.encode()).decode()
            for box in system.iter(CPIX + "PSSH"):
                body = bytes(4) + uuid.UUID(system.get("systemId")).bytes + len(uri).to_bytes(4, "big") + uri.encode()
                box.text = base64.b64encode((8 + len(body)).to_bytes(4, "big") + b"pssh" + body).decode()
        # Prefixes of its own: only namespaces count.
        text = '<?xml version="1.0" encoding="UTF-8"?>' + tree.tostring(document, encoding="unicode")
        self.answer(200, text, version=None if mode == "silent" else version)


class Listener(http.server.ThreadingHTTPServer):
    def get_request(self):
        connection, address = super().get_request()
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            connection = context.wrap_socket(connection, server_side=True, do_handshake_on_connect=False)
        return connection, address

    def handle_error(self, request, address):
        """A client that does not like the certificate goes away."""


server = Listener(("127.0.0.1", 0), Server)
server.daemon_threads = True
print(server.server_port, flush=True)
# Standard input ends with the test.
threading.Thread(target=server.serve_forever, daemon=True).start()
sys.stdin.read()

"""A device for FairPlay in Python, which shares nothing with the packager: it makes an SPC, and reads the CKC.

    device.py make VERSION CERTIFICATE PROVISIONING-DATA [ASSET]    an SPC and what the device remembers, in JSON
    device.py open SECRETS CKC                                      the content key, its IV and all TLLVs, in JSON

VERSION is 1, 2 or 3; SECRETS is what `make` has printed, CKC is hexadecimal. The key of [SK..R1] is that of the test provider.
"""
import hashlib
import json
import os
import struct
import sys
import warnings

from cryptography import x509
from cryptography.hazmat.primitives import cmac, hashes
from cryptography.hazmat.primitives.asymmetric import padding
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

SPC_TAGS = {
    "session key, R1": 0x3D1A10B8BFFAC2EC,
    "integrity": 0xB349D4809E910687,
    "anti-replay seed": 0x89C90F12204106B2,
    "R2": 0x71B5595AC1521133,
    "return request": 0x19F9D4E5AB7609CB,
    "asset": 0x1BF7F53F5D5D5A1F,
    "transaction": 0x47AA7AD3440577DE,
    "versions supported": 0x67B8FB79ECCE1A13,
    "version used": 0x5D81BCBCC7F61703,
    "playback state": 0xEB8EFDF2B25AB3A0,
    "capabilities": 0x9C02AF3253C07FB2,
}
CONTENT_KEY, R1 = 0x58B38165AF0E3D5A, 0xEA74C4645D5EFEE9


def cbc(key, iv, data, decrypt=False):
    context = Cipher(algorithms.AES(key), modes.CBC(iv))
    context = context.decryptor() if decrypt else context.encryptor()
    return context.update(data) + context.finalize()


def ecb(key, block, decrypt=False):
    context = Cipher(algorithms.AES(key), modes.ECB())
    context = context.decryptor() if decrypt else context.encryptor()
    return context.update(block) + context.finalize()


def field(tag, value):
    filler = os.urandom(-len(value) % 16 + 16 * (os.urandom(1)[0] % 3))
    return struct.pack(">QII", tag, len(value) + len(filler), len(value)) + value + filler


def make(version, path, provisioning, asset="skd://live/1/video"):
    der = open(path, "rb").read()
    session_key, hu, r1, r2, seed, message_key, iv = (os.urandom(n) for n in (16, 20, 44, 21, 16, 16, 16))
    secret = session_key + hu + r1
    integrity = hashlib.sha256(secret).digest()[:16]
    secret_key = hashlib.sha256(b"packager test provider" + provisioning.encode() + r2).digest()[:16]
    secret_iv = os.urandom(16)
    values = {
        "session key, R1": secret_iv + cbc(secret_key, secret_iv, secret + integrity),
        "integrity": integrity,
        "anti-replay seed": seed,
        "R2": r2,
        "asset": asset.encode(),
        "transaction": os.urandom(8),
        "versions supported": struct.pack(">II", 1, 2),
        "version used": struct.pack(">I", 1),
        "playback state": struct.pack(">IIQ", 1795000000, 0xF4DEE5A2, 1),
        "capabilities": struct.pack(">QQ", 0, 0b111111),
    }
    wanted = ["transaction", "asset", "capabilities"]
    values["return request"] = b"".join(struct.pack(">Q", SPC_TAGS[name]) for name in wanted)
    payload = b"".join(field(SPC_TAGS[name], values[name]) for name in sorted(values))

    algorithm = hashes.SHA1() if version == 1 else hashes.SHA256()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        public_key = x509.load_der_x509_certificate(der).public_key()
    wrapped = public_key.encrypt(message_key, padding.OAEP(padding.MGF1(algorithm), algorithm, None))
    head = struct.pack(">II", version, 0)
    if version < 3:
        spc = head + iv + wrapped + hashlib.sha1(der).digest() + struct.pack(">I", len(payload))
        spc += cbc(message_key, iv, payload)
    else:
        key, iv, mac_key = (ecb(message_key, name) for name in (b"seed of the key.", b"seed of the iv..", b"seed of the mac."))
        body = wrapped + hashlib.sha256(der).digest() + bytes(12) + struct.pack(">I", len(payload)) + cbc(key, iv, payload)
        mac = cmac.CMAC(algorithms.AES(mac_key))
        mac.update(body)
        spc = head + b"protocol of test" + body + mac.finalize()
    secrets = {
        "spc": spc.hex(),
        "payload": payload.hex(),
        "sessionKey": session_key.hex(),
        "hu": hu.hex(),
        "r1": r1.hex(),
        "seed": seed.hex(),
        "echoes": {f"{SPC_TAGS[name]:016x}": values[name].hex() for name in wanted},
    }
    print(json.dumps(secrets))


def read(secrets, ckc):
    version, reserved = struct.unpack(">II", ckc[:8])
    iv, length = ckc[8:24], struct.unpack(">I", ckc[24:28])[0]
    assert version == 1 and reserved == 0 and length == len(ckc) - 28
    r1 = bytes.fromhex(secrets["r1"])
    key = ecb(hashlib.sha1(r1).digest()[:16], bytes.fromhex(secrets["seed"]))
    payload = cbc(key, iv, ckc[28:], decrypt=True)
    values = {}
    while payload:
        tag, block, count = struct.unpack(">QII", payload[:16])
        assert block % 16 == 0 and count <= block <= len(payload) - 16 and tag not in values
        values[tag] = payload[16 : 16 + count]
        payload = payload[16 + block :]
    assert values[R1] == r1
    assert all(values[int(tag, 16)].hex() == value for tag, value in secrets["echoes"].items())
    assert len(values[CONTENT_KEY]) == 32
    content_key = ecb(bytes.fromhex(secrets["sessionKey"]), values[CONTENT_KEY][16:], decrypt=True)
    fields = {f"{tag:016x}": value.hex() for tag, value in values.items()}
    print(json.dumps({"contentKey": content_key.hex(), "iv": values[CONTENT_KEY][:16].hex(), "fields": fields}))


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(int(sys.argv[2]), *sys.argv[3:])
    else:
        read(json.loads(sys.argv[2]), bytes.fromhex(sys.argv[3]))

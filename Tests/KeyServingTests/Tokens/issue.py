"""Issues tokens by PyJWT, with keys that are made for it: an independent writer of what the packager reads.

Reads from its argument {"keys": [{"kid", "alg", "bits", "hidden", "members"}], "tokens": [{"kid", "claims", "header",
"key", "alg", "isNamed"}]} and prints {"jwks", "tokens"}. A hidden key is not in the set. "members" replace those of a key's
JSON, null removes one. "key" signs with another key than is named, "alg" by another algorithm; without "isNamed" the
header has no kid. Claims exp and nbf, where they are numbers, are seconds from now. Shared secrets are the same whenever this
runs.
"""

import base64
import hashlib
import json
import sys
import time

import jwt
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa

ALGORITHMS = jwt.algorithms.get_default_algorithms()


def make(alg, kid, bits):
    if alg == "HS256":
        return hashlib.sha256(kid.encode()).digest()
    if alg == "ES256":
        return ec.generate_private_key(ec.SECP256R1())
    if alg == "ES384":
        return ec.generate_private_key(ec.SECP384R1())
    return rsa.generate_private_key(65537, bits)


def public(alg, key):
    if alg == "HS256":
        return {"kty": "oct", "k": base64.urlsafe_b64encode(key).rstrip(b"=").decode()}
    return json.loads(ALGORITHMS[alg].to_jwk(key.public_key()))


order = json.loads(sys.argv[1])
keys = {key["kid"]: (key["alg"], make(key["alg"], key["kid"], key.get("bits", 2048))) for key in order["keys"]}
jwks = [
    {
        name: value
        for name, value in {
            **public(*keys[key["kid"]]), "kid": key["kid"], "alg": key["alg"], "use": "sig", **key.get("members", {})
        }.items()
        if value is not None
    }
    for key in order["keys"]
    if not key.get("hidden")
]
# What an issuer may have besides: it is to be passed over.
jwks.append({"kty": "OKP", "crv": "Ed25519", "x": "AA", "kid": "other"})
tokens = []
for token in order["tokens"]:
    claims = dict(token["claims"])
    for name in ("exp", "nbf"):
        if isinstance(claims.get(name), int):
            claims[name] = int(time.time()) + claims[name]
    alg, key = keys[token.get("key", token["kid"])]
    if "alg" in token:
        # As if the public key, which everybody knows, were a shared secret.
        alg, key = token["alg"], hashlib.sha256(
            key.public_key().public_bytes(
                serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
            )
        ).digest()
    header = {**({"kid": token["kid"]} if token["isNamed"] else {}), **token.get("header", {})}
    tokens.append(jwt.encode(claims, key, algorithm=alg, headers=header))
print(json.dumps({"jwks": {"keys": jwks}, "tokens": tokens}))

// METHOD=AES-128 and AES-256-GCM: whole segments, in AES-CBC with PKCS7 padding and AES-GCM (RFC 8216bis 4.4.4.4).

import { bytesOf } from "./boxes.js";
import { fetchPatiently, KeyUnavailable } from "./network.js";

/** The most keys that are kept, more than a window needs. */
const capacity = 64;

/** The ciphers by METHOD: the name in WebCrypto, the bytes of a key, and the bytes of the vector at the start of a segment. */
const ciphers = new Map([
    ["AES-128", { name: "AES-CBC", keyLength: 16, vectorLength: 0 }],
    ["AES-256-GCM", { name: "AES-GCM", keyLength: 32, vectorLength: 16 }],
]);

/** True if a METHOD encrypts whole segments. */
export const isSegmentEncryption = (method) => ciphers.has(method);

/** Fetches keys, once per URI, and decrypts with them. */
export class IdentityKeys {
    /** Seconds after which a key is fetched again, at a random moment before; null for never. */
    lease = null;
    #keys = new Map();

    /**
     * The clear bytes of a segment or an initialization segment.
     *
     * `sequence` is the media sequence number: with AES-128 the initialization vector when the tag has no IV attribute.
     */
    async decrypt(bytes, key, sequence) {
        const { name, vectorLength } = ciphers.get(key.method);
        const given = key.iv ? bytesOf(key.iv) : sequenceVector(sequence);
        const iv = vectorLength > 0 ? bytes.subarray(0, vectorLength) : given;
        const secret = await this.fetch(key);
        try {
            return new Uint8Array(await crypto.subtle.decrypt({ name, iv }, secret, bytes.subarray(vectorLength)));
        } catch {
            throw new Error(`Segment ${sequence} does not decrypt with key ${key.keyID}: wrong key or damaged bytes`);
        }
    }

    /** The key of a tag; a failed fetch is not remembered. */
    fetch(key) {
        const { pending: known, at, share } = this.#keys.get(key.url) ?? {};
        if (known && !(this.lease && now() - at > this.lease * share)) return known;
        const pending = fetchPatiently(key.url).then((bytes) => importKey(bytes, ciphers.get(key.method)), (error) => {
            throw new KeyUnavailable(key.keyID, error);
        });
        pending.catch(() => this.#keys.delete(key.url));
        this.#keys.set(key.url, { pending, at: now(), share: 0.5 + 0.4 * Math.random() });
        if (this.#keys.size > capacity) this.#keys.delete(this.#keys.keys().next().value);
        return pending;
    }
}

const now = () => performance.now() / 1000;

function importKey(bytes, { name, keyLength }) {
    if (!globalThis.crypto?.subtle) {
        throw new Error("This browser decrypts only on secure pages: open the page over https or on localhost");
    }
    if (bytes.length !== keyLength) throw new Error(`The key has ${bytes.length} bytes instead of ${keyLength}`);
    return crypto.subtle.importKey("raw", bytes, name, false, ["decrypt"]);
}

function sequenceVector(sequence) {
    const iv = new Uint8Array(16);
    new DataView(iv.buffer).setBigUint64(8, BigInt(sequence));
    return iv;
}

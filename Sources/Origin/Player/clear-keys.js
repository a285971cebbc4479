// SAMPLE-AES and SAMPLE-AES-CTR in fMP4 (`cbcs` and `cenc`): keys reach the decoder through EME's ClearKey system.

import { bytesOf, hex, keyIDsOf } from "./boxes.js";
import { delay, fetchPatiently, KeyUnavailable } from "./network.js";

const keySystem = "org.w3.clearkey";

/**
 * The EME sessions, one per key ID: opened when a playlist or an initialization section names the key, and renewed before
 * the lease in its licence ends.
 */
export class ClearKeys {
    #video;
    #licenceURL;
    #contentTypes;
    #report;
    #mediaKeys = null;
    #sessions = new Map();
    #closed = new AbortController();

    /**
     * `licenceURL()` resolves to the URL of licences; `contentTypes` is `{video, audio}`, lists of MIME types;
     * `report(message)` receives errors.
     */
    constructor({ video, licenceURL, contentTypes, report }) {
        this.#video = video;
        this.#licenceURL = licenceURL;
        this.#contentTypes = contentTypes;
        this.#report = report;
        video.addEventListener("encrypted", this.#encrypted);
    }

    /** Asks for the keys of these IDs (32 hex digits) ahead of need. */
    prefetch(keyIDs) {
        // A failure here is reported when a segment needs the key.
        for (const keyID of keyIDs) this.usable(keyID).catch(() => {});
    }

    /** Resolves when the decoder has this key; throws `KeyUnavailable`, and the next call asks again. */
    usable(keyID) {
        const known = this.#sessions.get(keyID);
        if (known) return known;
        const opened = this.#open(keyID).catch((error) => {
            if (this.#sessions.get(keyID) === opened) this.#sessions.delete(keyID);
            throw new KeyUnavailable(keyID, error);
        });
        this.#sessions.set(keyID, opened);
        opened.then((granted) => this.#renew(keyID, opened, granted), () => {});
        return opened;
    }

    /** Renews a key at a random moment before its lease ends; if that fails, the key is no longer used. */
    async #renew(keyID, opened, { session, lease }) {
        if (!lease) return;
        const { signal } = this.#closed;
        const moment = lease * (0.5 + 0.4 * Math.random());
        await delay(moment, signal);
        // It may not be needed any more.
        if (this.#sessions.get(keyID) !== opened) return;
        this.#sessions.delete(keyID);
        const end = delay(lease - moment, signal);
        await this.usable(keyID).catch(({ message }) => {
            this.#report(message);
            return end;
        });
        await session.close();
    }

    /** Closes the sessions of all keys but these: a rotating channel would collect them for ever. */
    retain(keyIDs) {
        for (const [keyID, opened] of this.#sessions) {
            if (keyIDs.has(keyID)) continue;
            this.#sessions.delete(keyID);
            opened.then(({ session }) => session.close()).catch(() => {});
        }
    }

    close() {
        this.#closed.abort();
        this.#video.removeEventListener("encrypted", this.#encrypted);
        this.retain(new Set());
    }

    #encrypted = (event) => {
        // Keys without an identity EXT-X-KEY are found only in the initialization data.
        if (event.initDataType !== "cenc" || !event.initData) return;
        for (const keyID of keyIDsOf(event.initData)) this.usable(keyID).catch(({ message }) => this.#report(message));
    };

    async #attach() {
        if (!navigator.requestMediaKeySystemAccess) {
            throw new Error("This browser decrypts only on secure pages: open the page over https or on localhost");
        }
        // The browser keeps the schemes that it supports; the segments select one of them.
        const capabilities = (contentTypes) => ["cbcs", "cenc"].flatMap((encryptionScheme) =>
            contentTypes.map((contentType) => ({ contentType, encryptionScheme })));
        const access = await navigator.requestMediaKeySystemAccess(keySystem, [{
            initDataTypes: ["cenc", "keyids"],
            videoCapabilities: capabilities(this.#contentTypes.video),
            audioCapabilities: capabilities(this.#contentTypes.audio),
        }]).catch(() => {
            throw new Error("This browser has no ClearKey decryption");
        });
        const mediaKeys = await access.createMediaKeys();
        await this.#video.setMediaKeys(mediaKeys);
        return mediaKeys;
    }

    async #open(keyID) {
        this.#mediaKeys ??= this.#attach();
        const mediaKeys = await this.#mediaKeys;
        const session = mediaKeys.createSession();
        const answered = new Promise((resolve, reject) => {
            session.addEventListener("message", (event) => this.#answer(session, event.message).then(resolve, reject));
        });
        session.addEventListener("keystatuseschange", () => {
            for (const [id, status] of session.keyStatuses) {
                if (status === "usable" || status === "status-pending" || status === "released") continue;
                this.#report(`Key ${hex(bytes(id))} is ${status}`);
            }
        });
        const initData = JSON.stringify({ kids: [base64URL(bytesOf(keyID))] });
        await session.generateRequest("keyids", new TextEncoder().encode(initData));
        const { lease } = await answered;
        if (!session.keyStatuses.has(bytesOf(keyID))) throw new Error("the licence does not hold it");
        return { session, lease };
    }

    /** The W3C ClearKey licence exchange: the message is the request, the answer is the licence, which is returned. */
    async #answer(session, message) {
        const headers = { "Content-Type": "application/json" };
        const { signal } = this.#closed;
        const licence = await fetchPatiently(await this.#licenceURL(), { method: "POST", headers, body: message, signal });
        await session.update(licence);
        return JSON.parse(new TextDecoder().decode(licence));
    }
}

const bytes = (source) => new Uint8Array(source.buffer ?? source, source.byteOffset ?? 0, source.byteLength);

function base64URL(data) {
    return btoa(String.fromCharCode(...data)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

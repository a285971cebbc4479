// Keeps one SourceBuffer filled from one rendition.

import { messagesOf, presentationStart, timescaleOf } from "./boxes.js";
import { isSegmentEncryption } from "./identity-keys.js";
import { delay, fetchPatiently, HTTPError, KeyUnavailable, Unreachable } from "./network.js";
import { piecesOf, startBefore } from "./parts.js";
import { isSampleEncryption } from "./playlist.js";
import { SourceQueue } from "./source-queue.js";
import { transmux } from "./transmux.js";

/** Fetches, decrypts and appends the segments and parts of the chosen rendition, in order of time. */
export class Track {
    /** The rendition in use. */
    rendition = null;
    /** UTC at which the next segment or part to load begins, or null before the start is known. */
    next = null;
    /** The appended segments, oldest first: `{sequence, start, end, key, bytes, url}` in UTC seconds. */
    appended = [];
    /** URLs of listed segments that could not be loaded. */
    lost = new Set();

    #context;
    #queue;
    #type;
    #size;
    #initToken = null;
    /** True if the next media must begin with a key frame. */
    #begins = true;
    #inits = new Map();
    #current = new AbortController();
    #life = new AbortController();
    #wake = () => {};

    /**
     * `context` is shared by the tracks: `video`, `timeline`, `identityKeys`, `clearKeys`, `throughput`, `bufferTarget`
     * in seconds, `playheadUTC()`, `warn(message)` and `fail(message)`.
     */
    constructor({ kind, type, mediaSource, context }) {
        this.kind = kind;
        this.#queue = new SourceQueue(mediaSource, type);
        this.#context = context;
        this.#run();
    }

    get ranges() {
        return this.#queue.ranges;
    }

    get bufferedEnd() {
        return this.#queue.endAfter(this.#context.video.currentTime);
    }

    /** Checks again for media to load. */
    wake() {
        this.#wake();
    }

    close() {
        this.#life.abort();
        this.#current.abort();
        this.rendition?.stop();
        this.#wake();
    }

    /**
     * Switches to another rendition of a MIME type, after the buffered media; `size` is that of its
     * pictures, as `{width, height}`.
     */
    use(rendition, type, size = null) {
        if (this.rendition !== rendition) this.rendition?.stop();
        this.rendition = rendition;
        this.#type = type;
        this.#size = size;
        this.#interrupt();
    }

    /** Forgets everything buffered from `utc` on and loads again from the segment that contains it. */
    async refill(utc) {
        this.#interrupt();
        this.next = utc;
        this.appended = this.appended.filter((segment) => segment.end <= utc);
        const from = this.#context.timeline.origin === null ? 0 : Math.max(0, this.#context.timeline.position(utc));
        await this.#queue.remove(from, Infinity);
    }

    /** Removes media that was played more than `seconds` ago. */
    async trim(seconds) {
        const end = this.#context.video.currentTime - seconds;
        const [first] = this.ranges;
        if (!first || first[0] > end - 5) return;
        await this.#queue.remove(0, end);
        const utc = this.#context.timeline.utc(end);
        this.appended = this.appended.filter((segment) => segment.end > utc);
    }

    #interrupt() {
        this.#current.abort();
        this.#current = new AbortController();
        this.#initToken = null;
        this.#begins = true;
        this.#wake();
    }

    async #run() {
        while (!this.#life.signal.aborted) {
            const { signal } = this.#current;
            const segment = this.#nextPiece();
            if (!segment) {
                await new Promise((resolve) => (this.#wake = resolve));
                continue;
            }
            try {
                await this.#load(segment, signal);
                if (!signal.aborted) this.next = segment.end;
            } catch (error) {
                if (signal.aborted || this.#life.signal.aborted) continue;
                if (error.name === "InvalidStateError") return; // The element failed and says so itself.
                if (error instanceof KeyUnavailable) {
                    this.#context.fail(error.message);
                    await delay(2, signal);
                    continue;
                }
                this.#giveUp(segment, error);
            }
        }
    }

    /** The first listed segment or part not yet loaded that has media, unless the buffer is full enough. */
    #nextPiece() {
        const { bufferTarget, playheadUTC } = this.#context;
        const playlist = this.rendition?.playlist;
        if (this.next === null || !playlist) return null;
        let piece = this.#firstPiece(playlist);
        if (piece && this.#begins && piece.isIndependent === false) {
            this.next = startBefore(playlist, piece.start) ?? this.next;
            piece = this.#firstPiece(playlist);
        }
        if (!piece) return null;
        // Before the playhead has a place, the first segment stands for it.
        const ahead = piece.start - (playheadUTC() ?? this.appended[0]?.start ?? piece.start);
        return ahead < bufferTarget ? piece : null;
    }

    #firstPiece(playlist) {
        for (const piece of piecesOf(playlist, this.next)) {
            // Renditions agree to a frame or so on their boundaries: the middle of a segment decides.
            if ((piece.start + piece.end) / 2 <= this.next) continue;
            // A GAP segment has no media and is never asked for (RFC 8216bis 4.4.4.7).
            if (!piece.gap && !this.lost.has(piece.url)) return piece;
        }
        return null;
    }

    async #load(segment, signal) {
        const { timeline, identityKeys, clearKeys } = this.#context;
        const [type, size] = [this.#type, this.#size];
        if (isSampleEncryption(segment.key?.method)) {
            // Chromium can miss a key that arrives while it waits for one: so the key comes first.
            await clearKeys.usable(segment.key.keyID);
        }
        const [map, bytes] = await Promise.all([this.#init(segment), this.#fetch(segment.url, signal)]);
        const clear = isSegmentEncryption(segment.key?.method)
            ? await identityKeys.decrypt(bytes, segment.key, segment.sequence)
            : bytes;
        signal.throwIfAborted();

        // Without an initialization section it is a transport stream, or packed audio.
        const { init, media, token, start: mediaStart, messages } = map ? {
            init: map,
            media: clear,
            token: initToken(segment.map),
            start: presentationStart(clear, timescaleOf(map)) ?? segment.start,
            messages: messagesOf(clear),
        } : transmux(clear, segment, size, type);
        timeline.begin(mediaStart, segment, this.rendition.start ?? segment.start);
        await this.#queue.changeType(type);
        await this.#queue.setOffset(-timeline.origin);
        if (token !== this.#initToken) {
            await this.#append(init, signal);
            this.#initToken = token;
        }
        await this.#append(media, signal);
        // A later part may begin with a picture that is not its earliest.
        if (!segment.index) timeline.measure(mediaStart, segment);
        this.#begins = false;
        for (const message of messages) this.#context.hear(message);
        this.appended.push({
            sequence: segment.sequence,
            start: segment.start,
            end: segment.end,
            key: segment.key,
            bytes: bytes.length,
            url: segment.url,
        });
    }

    /** The clear initialization segment in force, or null for a stream without. */
    #init(segment) {
        const { map } = segment;
        if (!map) return null;
        const token = initToken(map);
        let pending = this.#inits.get(token);
        if (!pending) {
            pending = this.#fetchInit(map, segment.sequence);
            pending.catch(() => this.#inits.delete(token));
            this.#inits.set(token, pending);
            if (this.#inits.size > 8) this.#inits.delete(this.#inits.keys().next().value);
        }
        return pending;
    }

    async #fetchInit(map, sequence) {
        const bytes = await fetchPatiently(map.url, { signal: this.#life.signal });
        // An encrypted EXT-X-MAP section must come with an IV attribute (4.4.4.5).
        return isSegmentEncryption(map.key?.method) ? this.#context.identityKeys.decrypt(bytes, map.key, sequence) : bytes;
    }

    async #fetch(url, signal) {
        const started = performance.now();
        const timeout = Math.max(10, 2 * (this.rendition.playlist?.targetDuration ?? 6));
        const bytes = await fetchPatiently(url, { signal, timeout });
        this.#context.throughput.add(bytes.length, (performance.now() - started) / 1000);
        return bytes;
    }

    async #append(bytes, signal) {
        for (let keep = 20; ; keep = Math.max(2, keep / 2)) {
            // Nothing lies between this check and the queue: a refill cannot slip in before the append.
            signal.throwIfAborted();
            try {
                await this.#queue.append(bytes);
                return;
            } catch (error) {
                if (error.name !== "QuotaExceededError") throw error;
                // The buffer is full: keep less played media, load less ahead, and try again.
                this.#context.bufferTarget = Math.max(8, this.#context.bufferTarget * 0.8);
                await this.trim(keep);
                await delay(1, signal);
            }
        }
    }

    #giveUp(segment, error) {
        this.lost.add(segment.url);
        const message = `${this.kind} segment ${segment.sequence} is lost: ${error.message}`;
        // The network may lose a segment; a segment that arrived and cannot be used is an error.
        const isNetwork = error instanceof HTTPError || error instanceof Unreachable;
        if (isNetwork) this.#context.warn(message);
        else this.#context.fail(message);
        if (this.lost.size > 500) this.lost.delete(this.lost.values().next().value);
    }
}

function initToken(map) {
    return map ? [map.url, map.key?.method, map.key?.url, map.key?.iv].join(" ") : "";
}

// One media playlist, kept up to date.

import { delay, fetchText, protocolOf } from "./network.js";
import { addressOfReload, edgeOf, isAfter, nextPosition } from "./parts.js";
import { parseMedia } from "./playlist.js";

const now = () => performance.now() / 1000;
/** The blocking reloads answered too early in a row after which the player polls instead. */
const patience = 3;
/** Reloads of the page that may wait at once by HTTP/1.1: a browser has six connections to a server, and media needs some. */
const mostWaiting = 4;
let waiting = 0;

/** Reloads a media playlist at the pace of RFC 8216bis 6.3.4 and notifies its listener. */
export class Rendition {
    /** The latest playlist, or null before the first one. */
    playlist = null;
    /** The error that the last reload failed with, or null. */
    problem = null;

    /** Reloads in a row that were answered before there was anything new. */
    #early = 0;
    #changedAt = now();
    /** The start of the last reload that was answered with a playlist, in seconds. */
    #answeredAt = now();
    #stopped = new AbortController();
    #variables;
    #listener;

    /** `variables` are the multivariant playlist's; `listener()` is called after every reload, changed or not, failed or not. */
    constructor(url, variables, listener) {
        this.url = url;
        this.#variables = variables;
        this.#listener = listener;
        this.#run();
    }

    stop() {
        this.#stopped.abort();
    }

    /** Seconds since the playlist last got a new segment. */
    get age() {
        return now() - this.#changedAt;
    }

    /**
     * True if a new segment is overdue: one must come at least every 1.5 target durations (6.2.1). False if the last
     * reload failed, since the age of the playlist is then unknown.
     */
    get isStale() {
        return this.playlist !== null && !this.playlist.ended && this.problem === null
            && this.#answeredAt - this.#changedAt > 1.5 * this.playlist.targetDuration;
    }

    /** True if reloads have failed for so long that a new segment must exist. */
    get isUnanswered() {
        return this.playlist !== null && !this.playlist.ended && this.problem !== null
            && now() - this.#answeredAt > 1.5 * this.playlist.targetDuration;
    }

    /** Seconds since the last reload that was answered. */
    get silence() {
        return now() - this.#answeredAt;
    }

    /** UTC at which the window begins, or null. */
    get start() {
        return this.playlist?.segments[0]?.start ?? null;
    }

    /** UTC at which the last listed segment or part ends, or null. */
    get edge() {
        return edgeOf(this.playlist);
    }

    /** The reason why parts are not used; null if they are. */
    get lackOfParts() {
        const { playlist } = this;
        if (!playlist) return "there is no playlist yet";
        if (playlist.partTarget === null) return "the playlist has no parts (part-duration is 0)";
        if (!playlist.canBlock) return "reloads cannot wait (CAN-BLOCK-RELOAD is missing)";
        if (playlist.partHoldBack === null) return "the distance to the live edge is missing (PART-HOLD-BACK)";
        if (this.#early >= patience) return "reloads are answered too early: a cache or proxy ignores _HLS_msn and _HLS_part";
        return null;
    }

    /** The position that the next reload waits for; null for a reload that is answered at once. */
    get #awaited() {
        const { playlist, url } = this;
        const waits = playlist?.canBlock && !playlist.ended && this.problem === null && this.#early < patience;
        return waits && (waiting < mostWaiting || protocolOf(url) === "h2") ? nextPosition(playlist) : null;
    }

    async #run() {
        const { signal } = this.#stopped;
        while (!signal.aborted) {
            const started = now();
            const wait = await this.#reload(signal);
            if (signal.aborted) return;
            this.#listener();
            if (this.playlist?.ended) return;
            if (wait > 0) await delay(Math.max(0.1, wait - (now() - started)), signal);
        }
    }

    /** Reloads once; returns how many seconds after the request began the next one is due, or 0 if that waits by itself. */
    async #reload(signal) {
        const begun = now();
        const awaited = this.#awaited;
        if (awaited) waiting += 1;
        try {
            // A blocking reload is answered after three target durations at the latest (6.2.5.2).
            const timeout = this.playlist ? (awaited ? 4 : 2) * this.playlist.targetDuration : 20;
            const hasParts = this.playlist?.partTarget != null;
            const url = awaited ? addressOfReload(this.url, awaited, hasParts) : this.url;
            const text = await fetchText(url, { signal, timeout, cache: "no-cache" });
            const playlist = parseMedia(text, this.url, this.#variables);
            this.problem = null;
            this.#answeredAt = begun;
            if (!this.#isNews(playlist)) {
                if (awaited) this.#early += 1;
                return (this.playlist.partTarget ?? this.playlist.targetDuration) / 2;
            }
            if (awaited) this.#early = 0;
            this.playlist = playlist;
            this.#changedAt = now();
            if (playlist.canBlock) return 0;
            return playlist.segments.at(-1)?.duration ?? playlist.targetDuration / 2;
        } catch (error) {
            this.problem = error;
            return Math.max(0.1, error.retryAfter ?? (this.playlist?.targetDuration ?? 4) / 2);
        } finally {
            if (awaited) waiting -= 1;
        }
    }

    /** True if a playlist is newer than the current one, or if only older ones have come for long: the stream has restarted. */
    #isNews(playlist) {
        const held = this.playlist && nextPosition(this.playlist);
        const latest = nextPosition(playlist);
        if (!held || !latest) return latest !== null || this.playlist === null;
        if (isAfter(latest, held)) return true;
        if (!isAfter(held, latest)) return playlist.ended && !this.playlist.ended;
        return this.age > 3 * playlist.targetDuration;
    }
}

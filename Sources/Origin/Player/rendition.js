// One media playlist, kept up to date.

import { delay, fetchText } from "./network.js";
import { parseMedia } from "./playlist.js";

const now = () => performance.now() / 1000;

/** Reloads a media playlist at the pace of RFC 8216bis 6.3.4 and tells who listens. */
export class Rendition {
    /** The latest playlist, or null before the first one. */
    playlist = null;
    /** The error that the last reload failed with, or null. */
    problem = null;

    #changedAt = now();
    /** When the last reload began that was answered with a playlist. */
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
     * Whether the origin broke its promise: a new segment at least every 1.5 target durations (6.2.1). Of what it does
     * not answer, or nobody has asked it, nothing is known.
     */
    get isStale() {
        return this.playlist !== null && !this.playlist.ended && this.problem === null
            && this.#answeredAt - this.#changedAt > 1.5 * this.playlist.targetDuration;
    }

    /** Whether reloads have failed for so long that there ought to have been a new segment. */
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

    /** UTC at which the last listed segment ends, or null. */
    get edge() {
        return this.playlist?.segments.at(-1)?.end ?? null;
    }

    async #run() {
        const { signal } = this.#stopped;
        while (!signal.aborted) {
            const started = now();
            const wait = await this.#reload(signal);
            if (signal.aborted) return;
            this.#listener();
            if (this.playlist?.ended) return;
            await delay(Math.max(0.1, wait - (now() - started)), signal);
        }
    }

    /** Reloads once; returns how many seconds after the request began the next one is due. */
    async #reload(signal) {
        const begun = now();
        try {
            const timeout = this.playlist ? 2 * this.playlist.targetDuration : 20;
            const text = await fetchText(this.url, { signal, timeout, cache: "no-cache" });
            const playlist = parseMedia(text, this.url, this.#variables);
            this.problem = null;
            this.#answeredAt = begun;
            if (!this.#isNews(playlist)) return this.playlist.targetDuration / 2;
            this.playlist = playlist;
            this.#changedAt = now();
            return playlist.segments.at(-1)?.duration ?? playlist.targetDuration / 2;
        } catch (error) {
            this.problem = error;
            return error.retryAfter ?? (this.playlist?.targetDuration ?? 4) / 2;
        }
    }

    /** An older copy, as a cache may hand out, is no news; unless nothing newer came for long: a new beginning. */
    #isNews(playlist) {
        const held = this.playlist?.segments.at(-1)?.sequence;
        const latest = playlist.segments.at(-1)?.sequence;
        if (held === undefined || latest === undefined) return latest !== undefined || this.playlist === null;
        if (latest === held) return playlist.ended && !this.playlist.ended;
        return latest > held || this.age > 3 * playlist.targetDuration;
    }
}

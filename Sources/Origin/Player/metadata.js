// The timed metadata of a channel: date ranges of its playlists, and event messages of its segments.

import { describe } from "./date-ranges.js";
import { framesOf } from "./id3.js";

const capacity = 200;

/** A list of metadata, without repetitions. */
export class Metadata {
    #entries = [];
    #known = new Map();

    /** `{utc, title, text}`, the latest last. */
    get entries() {
        return this.#entries;
    }

    /** Adds the ranges of a playlist; returns true if one is new. */
    takeRanges(ranges) {
        let isNew = false;
        for (const range of ranges) {
            const [, , length, ...rest] = describe(range);
            isNew = this.#add(`range ${range.id}`, range.start, range.title, [length, ...rest].join(" · ")) || isNew;
        }
        return isNew;
    }

    /** Adds a message of a segment, which every rendition repeats; returns true if it is new. */
    takeMessage(utc, { scheme, id, data }) {
        const text = framesOf(data).join(" · ") || `${data.length} bytes`;
        const title = scheme.includes("ID3") ? "ID3" : scheme;
        return this.#add(`message ${scheme} ${id} ${utc.toFixed(1)} ${text}`, utc, title, text);
    }

    #add(key, utc, title, text) {
        const isKnown = this.#known.get(key) === text;
        // A repeated entry counts as the newest, so it is removed last.
        this.#known.delete(key);
        this.#known.set(key, text);
        if (isKnown) return false;
        this.#entries.push({ utc, title, text });
        if (this.#entries.length > capacity) this.#entries.shift();
        if (this.#known.size > 4 * capacity) this.#known.delete(this.#known.keys().next().value);
        return true;
    }
}

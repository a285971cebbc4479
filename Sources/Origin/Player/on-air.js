// The source on air: an input, or the slate, held picture or gap that replaces it.

import { delay, fetchText } from "./network.js";

const names = { none: "gap", slate: "slate", hold: "held picture" };

/** Follows `on-air.json` of a channel until it is closed. */
export class OnAir {
    #renditions = new Map();
    #life = new AbortController();

    /** `base` is the URL of the channel's directory. */
    constructor(base) {
        this.#run(new URL("on-air.json", base).href);
    }

    close() {
        this.#life.abort();
    }

    /** The source of a rendition at a UTC in seconds, by the URL of its playlist; null if it is unknown. */
    sourceAt(playlistURL, utc) {
        const name = decodeURIComponent(new URL(playlistURL).pathname.split("/").at(-1)).replace(/\.m3u8$/, "");
        const runs = this.#renditions.get(name) ?? [];
        const newest = runs.at(-1);
        // The newest run is assumed to continue for 12 s, until the next answer.
        const run = runs.find(({ start, end }) => start <= utc && utc < end)
            ?? (newest && newest.end <= utc && utc < newest.end + 12 ? newest : null);
        return run ? names[run.source] ?? run.source : null;
    }

    async #run(url) {
        const { signal } = this.#life;
        while (!signal.aborted) {
            try {
                const { renditions } = JSON.parse(await fetchText(url, { signal, cache: "no-cache" }));
                this.#renditions = new Map(renditions.map(({ id, runs }) => [id, runs.map(({ source, start, end }) =>
                    ({ source, start: Date.parse(start) / 1000, end: Date.parse(end) / 1000 }))]));
            } catch (error) {
                // Other origins have no `on-air.json`.
                if (signal.aborted || error.status === 404) return;
            }
            await delay(4, signal);
        }
    }
}

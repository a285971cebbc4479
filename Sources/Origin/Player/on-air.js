// What the packager puts on air: which input, or what stands in for it.

import { delay, fetchText } from "./network.js";

const names = { none: "gap", slate: "slate", hold: "held picture" };

/** Follows `on-air.json` of a channel for as long as it lives. */
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

    /** What a rendition, named as in the URL of its playlist, is filled with at a UTC in seconds; null where that is not known. */
    sourceAt(playlistURL, utc) {
        const name = decodeURIComponent(new URL(playlistURL).pathname.split("/").at(-1)).replace(/\.m3u8$/, "");
        const runs = this.#renditions.get(name) ?? [];
        const newest = runs.at(-1);
        // The newest run goes on until something else is said.
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
                // An origin of another make has nothing of the kind.
                if (signal.aborted || error.status === 404) return;
            }
            await delay(4, signal);
        }
    }
}

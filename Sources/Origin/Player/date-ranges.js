// The date ranges of playlists (EXT-X-DATERANGE, RFC 8216bis 4.4.5.1). No I/O, no clock.

const interstitialClass = "com.apple.hls.interstitial";
const preloadClass = "com.apple.hls.preload";

/** The date ranges of a playlist, by ID. A later tag adds attributes to its range, and never changes one. */
export class DateRanges {
    #tags = new Map();

    /** Adds the attributes of a tag; ignores a tag without an ID, and the first tag of a range without a date. */
    add(attributes) {
        const id = attributes.ID;
        if (!id || !(this.#tags.has(id) || attributes["START-DATE"])) return;
        this.#tags.set(id, { ...attributes, ...this.#tags.get(id) });
    }

    /** `{id, kind, title, start, end, isOver, attributes}` in the order of their first tags, UTC in seconds. */
    get all() {
        return [...this.#tags.values()].map(rangeOf).filter(({ start }) => Number.isFinite(start));
    }
}

function rangeOf(a) {
    const start = Date.parse(a["START-DATE"]) / 1000;
    const said = a.DURATION ?? null;
    const isOver = said !== null || a["END-DATE"] !== undefined;
    const end = said !== null ? start + Number(said)
        : a["END-DATE"] ? Date.parse(a["END-DATE"]) / 1000
        : a["PLANNED-DURATION"] ? start + Number(a["PLANNED-DURATION"]) : null;
    const kind = kindOf(a);
    const title = { break: "Break", interstitial: "Interstitial", preload: "Preloading", command: "SCTE-35 command" }[kind]
        ?? a.CLASS ?? "Date range";
    return { id: a.ID, kind, title, start, end, isOver, attributes: a };
}

function kindOf(a) {
    if (a.CLASS === interstitialClass) return "interstitial";
    if (a.CLASS === preloadClass) return "preload";
    if (a["SCTE35-CMD"]) return "command";
    return a["SCTE35-OUT"] || a["SCTE35-IN"] ? "break" : "other";
}

/** Describes a range in lines of text. */
export function describe({ id, start, end, isOver, attributes }) {
    const date = new Date(Math.round(start * 1000)).toISOString().replace("T", " ");
    const length = end === null ? "for as long as it takes"
        : `${isOver ? "lasts" : "planned for"} ${(end - start).toFixed(3)} s`;
    const plain = ["ID", "CLASS", "START-DATE", "END-DATE", "DURATION", "PLANNED-DURATION"];
    const rest = Object.entries(attributes).filter(([name]) => !plain.includes(name))
        .map(([name, value]) => `${name} ${value.length > 72 ? `${value.slice(0, 72)}…` : value}`);
    return [id, date, length, ...rest];
}

// Subtitles of one language, as a text track of the element.

import { fetchPatiently } from "./network.js";

/** Timestamps of X-TIMESTAMP-MAP wrap, in seconds (RFC 8216bis 3.1.4). */
const wrap = 2 ** 33 / 90_000;
/** Seconds of cues to keep behind the playhead. */
const lookBehind = 60;

/** Fetches the segments of a rendition of WebVTT, and shows each cue at its time. */
export class Subtitles {
    rendition = null;

    #video;
    #timeline;
    #track;
    #known = new Set();
    #newest = -1;
    #stopped = new AbortController();

    constructor(video, timeline, { name, language }) {
        this.#video = video;
        this.#timeline = timeline;
        this.#track = video.addTextTrack("subtitles", name, language ?? "");
        this.#track.mode = "showing";
    }

    /** The text that is shown now. */
    get shown() {
        return [...(this.#track.activeCues ?? [])].map(({ text }) => text);
    }

    close() {
        this.#stopped.abort();
        this.rendition?.stop();
        this.#track.mode = "disabled";
        this.#remove(() => true);
    }

    /** Fetches the listed segments near the playhead, once the origin of media timestamps is known. */
    async wake() {
        if (this.#timeline.origin === null) return;
        const from = this.#timeline.utc(this.#video.currentTime) - 10;
        for (const segment of this.rendition?.playlist?.segments ?? []) {
            if (segment.sequence <= this.#newest || segment.end < from || segment.gap) continue;
            this.#newest = segment.sequence;
            const bytes = await fetchPatiently(segment.url, { signal: this.#stopped.signal }).catch(() => null);
            if (this.#stopped.signal.aborted) return;
            if (bytes) this.#show(parseWebVTT(new TextDecoder().decode(bytes)), this.#timeline.position(segment.start));
        }
        const before = this.#video.currentTime - lookBehind;
        this.#remove(({ endTime }) => endTime < before);
    }

    /** `near` is the start of the segment on the element's clock; of the times that wrapped timestamps allow, the nearest counts. */
    #show({ origin, cues }, near) {
        const zero = origin - this.#timeline.origin;
        for (const { start, end, text, settings } of cues) {
            const turns = Math.round((near - zero - start) / wrap);
            const cue = new VTTCue(zero + start + turns * wrap, zero + end + turns * wrap, text);
            apply(settings, cue);
            // A cue that spans two segments is in both.
            const key = `${Math.round(cue.startTime * 100)} ${Math.round(cue.endTime * 100)} ${text}`;
            if (this.#known.has(key)) continue;
            this.#known.add(key);
            this.#track.addCue(cue);
        }
    }

    #remove(isOver) {
        for (const cue of [...(this.#track.cues ?? [])]) if (isOver(cue)) this.#track.removeCue(cue);
    }
}

/** A segment: `{origin, cues}`; the origin is the media time in seconds that its time zero is, but for wraps. */
export function parseWebVTT(text) {
    const blocks = text.replace(/\r\n?/g, "\n").split(/\n{2,}/);
    const map = /X-TIMESTAMP-MAP=(.*)/.exec(blocks[0])?.[1] ?? "";
    const local = secondsOf(/LOCAL:([\d:.]+)/.exec(map)?.[1] ?? "00:00.000");
    const origin = Number(/MPEGTS:(\d+)/.exec(map)?.[1] ?? 0) / 90_000 - local;
    const cues = [];
    for (const block of blocks) {
        const match = /^(?:.*\n)?([\d:.]+)[ \t]+-->[ \t]+([\d:.]+)(.*)\n([^]*)$/.exec(block);
        if (!match) continue;
        cues.push({ start: secondsOf(match[1]), end: secondsOf(match[2]), settings: match[3], text: match[4].trimEnd() });
    }
    return { origin, cues };
}

const secondsOf = (text) => text.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);

/** Applies WebVTT's settings to a cue; the browser rejects invalid values, which are ignored. */
function apply(settings, cue) {
    for (const [name, value] of settings.trim().split(/[ \t]+/).map((setting) => setting.split(":"))) {
        const number = parseFloat(value);
        try {
            if (name === "align") cue.align = value;
            if (name === "vertical") cue.vertical = value === "rl" || value === "lr" ? value : "";
            if (name === "size") cue.size = number;
            if (name === "position") cue.position = number;
            if (name === "line") {
                cue.snapToLines = !value.includes("%");
                cue.line = number;
            }
        } catch {
            // The value is out of range.
        }
    }
}

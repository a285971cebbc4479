// Reads M3U8 text into plain values. No I/O, no clock.

import { hex } from "./boxes.js";
import { DateRanges } from "./date-ranges.js";

/**
 * A multivariant playlist: `{variants, audio, subtitles, captions, sessionKeys, variables}`, every URI resolved against
 * `base`, the URL where it was found. If each variant is listed once for each group of subtitles, only those of the first group are kept.
 */
export function parseMultivariant(text, base) {
    const lines = linesOf(text);
    const variables = new Map();
    const multivariant = { variants: [], audio: [], subtitles: [], captions: [], sessionKeys: [], variables };
    let pending = null;
    for (const written of lines) {
        const line = substitute(written, variables);
        if (!line.startsWith("#")) {
            // The URI line that follows EXT-X-STREAM-INF belongs to it (RFC 8216bis 4.4.6.2).
            if (pending) multivariant.variants.push({ ...pending, url: new URL(line, base).href });
            pending = null;
            continue;
        }
        const [tag, value] = splitTag(line);
        switch (tag) {
        case "#EXT-X-DEFINE": define(variables, attributes(value), base); break;
        case "#EXT-X-STREAM-INF": {
            const a = attributes(value);
            const [width, height] = (a.RESOLUTION ?? "").split("x").map(Number);
            pending = {
                bandwidth: Number(a.BANDWIDTH ?? 0),
                codecs: (a.CODECS ?? "").split(",").map((codec) => codec.trim()).filter(Boolean),
                width: width || 0,
                height: height || 0,
                audioGroup: a.AUDIO ?? null,
                subtitlesGroup: a.SUBTITLES ?? null,
            };
            break;
        }
        case "#EXT-X-MEDIA": {
            const a = attributes(value);
            if (a.TYPE === "CLOSED-CAPTIONS") multivariant.captions.push({ name: a.NAME, channel: a["INSTREAM-ID"] });
            if (a.TYPE === "SUBTITLES" && a.URI) {
                multivariant.subtitles.push({
                    group: a["GROUP-ID"],
                    name: a.NAME ?? a.LANGUAGE ?? "subtitles",
                    language: a.LANGUAGE ?? null,
                    isDefault: a.DEFAULT === "YES",
                    url: new URL(a.URI, base).href,
                });
            }
            // Without a URI the rendition is inside the variant streams themselves (4.4.6.2.1).
            if (a.TYPE !== "AUDIO" || !a.URI) break;
            multivariant.audio.push({
                group: a["GROUP-ID"],
                name: a.NAME ?? a.LANGUAGE ?? "audio",
                language: a.LANGUAGE ?? null,
                channels: a.CHANNELS ?? null,
                isDefault: a.DEFAULT === "YES",
                url: new URL(a.URI, base).href,
            });
            break;
        }
        case "#EXT-X-SESSION-KEY": {
            const key = usableKey(attributes(value), base);
            if (key) multivariant.sessionKeys.push(key);
            break;
        }
        }
    }
    if (multivariant.variants.length === 0) throw new Error("the multivariant playlist lists no variant");
    const { subtitlesGroup } = multivariant.variants[0];
    multivariant.variants = multivariant.variants.filter((variant) => variant.subtitlesGroup === subtitlesGroup);
    multivariant.subtitles = multivariant.subtitles.filter(({ group }) => group === subtitlesGroup);
    return multivariant;
}

/**
 * A media playlist. Each segment has `start` and `end` in UTC seconds, the `key` in force or null, and the `map` with
 * the key that was in force where EXT-X-MAP stood; `ranges` are as DateRanges has them. `imported` has the variables of the multivariant playlist.
 *
 * The `parts` of a segment have the same of their own, an `index`, and `isIndependent`; `open` is the segment that is not over, or null.
 */
export function parseMedia(text, base, imported) {
    const variables = new Map();
    const playlist = {
        targetDuration: 0, mediaSequence: 0, holdBack: null, ended: false, segments: [],
        partTarget: null, partHoldBack: null, canBlock: false, open: null,
    };
    const ranges = new DateRanges();
    let discontinuitySequence = 0;
    let key = null;
    let map = null;
    let date = null;
    const unknown = () => ({ duration: 0, gap: false, discontinuity: false, parts: [] });
    let next = unknown();

    for (const written of linesOf(text)) {
        const line = substitute(written, variables);
        if (!line.startsWith("#")) {
            if (next.discontinuity) discontinuitySequence += 1;
            const sequence = playlist.mediaSequence + playlist.segments.length;
            const url = new URL(line, base).href;
            playlist.segments.push({ ...next, sequence, discontinuitySequence, url, key, map, start: date });
            // Between two EXT-X-PROGRAM-DATE-TIME tags the date runs on with EXTINF (4.4.4.6).
            if (date !== null) date += next.duration;
            next = unknown();
            continue;
        }
        const [tag, value] = splitTag(line);
        switch (tag) {
        case "#EXT-X-DEFINE": define(variables, attributes(value), base, imported); break;
        case "#EXT-X-TARGETDURATION": playlist.targetDuration = Number(value); break;
        case "#EXT-X-MEDIA-SEQUENCE": playlist.mediaSequence = Number(value); break;
        case "#EXT-X-DISCONTINUITY-SEQUENCE": discontinuitySequence = Number(value); break;
        case "#EXT-X-SERVER-CONTROL": {
            const a = attributes(value);
            playlist.holdBack = Number(a["HOLD-BACK"]) || null;
            playlist.partHoldBack = Number(a["PART-HOLD-BACK"]) || null;
            playlist.canBlock = a["CAN-BLOCK-RELOAD"] === "YES";
            break;
        }
        case "#EXT-X-PART-INF": playlist.partTarget = Number(attributes(value)["PART-TARGET"]) || null; break;
        case "#EXT-X-PART": {
            const a = attributes(value);
            next.parts.push({
                url: new URL(a.URI, base).href,
                duration: Number(a.DURATION),
                gap: a.GAP === "YES",
                isIndependent: a.INDEPENDENT === "YES",
            });
            break;
        }
        case "#EXT-X-ENDLIST": playlist.ended = true; break;
        case "#EXTINF": next.duration = parseFloat(value); break;
        case "#EXT-X-DATERANGE": ranges.add(attributes(value)); break;
        case "#EXT-X-GAP": next.gap = true; break;
        case "#EXT-X-DISCONTINUITY": next.discontinuity = true; break;
        case "#EXT-X-PROGRAM-DATE-TIME": date = Date.parse(value) / 1000; break;
        case "#EXT-X-MAP": map = { url: new URL(attributes(value).URI, base).href, key }; break;
        case "#EXT-X-KEY": {
            const a = attributes(value);
            // Another KEYFORMAT leaves the key in force as it is; NONE ends every key (4.4.4.4).
            if (a.METHOD === "NONE") key = null;
            else key = usableKey(a, base) ?? key;
            break;
        }
        }
    }
    if (!(playlist.targetDuration > 0)) throw new Error("the playlist has no EXT-X-TARGETDURATION");
    dateBackwards(playlist.segments);
    if (next.parts.length > 0 && date !== null) {
        const sequence = playlist.mediaSequence + playlist.segments.length;
        if (next.discontinuity) discontinuitySequence += 1;
        playlist.open = { ...next, sequence, discontinuitySequence, key, map, start: date };
        placeParts(playlist.open);
    }
    playlist.segments.forEach(placeParts);
    playlist.ranges = ranges.all;
    return playlist;
}

/** The format of a media playlist's segments, as the page shows it. */
export function formatOf({ segments }) {
    const suffix = segments.length > 0 ? new URL(segments[0].url).pathname.split(".").at(-1) : "m4s";
    return { m4s: "fMP4", ts: "MPEG-TS" }[suffix] ?? "packed audio";
}

/** True if a METHOD encrypts samples, for an EME decoder, and not whole segments (4.4.4.4). */
export function isSampleEncryption(method) {
    return method?.startsWith("SAMPLE-AES") ?? false;
}

/** `text` with its variables filled in; throws for one that is not defined (RFC 8216bis 4.3). */
export function substitute(text, variables) {
    return text.replace(/\{\$([A-Za-z0-9_-]+)\}/g, (_, name) => {
        if (!variables.has(name)) throw new Error(`the playlist uses the variable ${name}, which it does not define`);
        return variables.get(name);
    });
}

/** Takes an EXT-X-DEFINE (4.4.2.3) into `variables`. */
function define(variables, a, base, imported = new Map()) {
    const name = a.NAME ?? a.IMPORT ?? a.QUERYPARAM;
    let value = a.VALUE;
    if (a.IMPORT) value = imported.get(name);
    if (a.QUERYPARAM) value = new URL(base).searchParams.get(name);
    if (value === undefined || value === null) throw new Error(`the address of the channel lacks ?${name}=…`);
    variables.set(name, value);
}

/** Gives the segments before the first EXT-X-PROGRAM-DATE-TIME their dates, and every segment its end. */
function dateBackwards(segments) {
    const first = segments.findIndex((segment) => Number.isFinite(segment.start));
    if (segments.length > 0 && first < 0) throw new Error("the playlist has no EXT-X-PROGRAM-DATE-TIME");
    for (let i = first - 1; i >= 0; i -= 1) segments[i].start = segments[i + 1].start - segments[i].duration;
    for (const segment of segments) segment.end = segment.start + segment.duration;
}

/** Gives the parts of a segment their dates, and the properties of the segment. */
function placeParts(segment) {
    const { sequence, discontinuity, discontinuitySequence, key, map } = segment;
    let end = segment.start;
    segment.parts = segment.parts.map((part, index) => {
        const start = end;
        end += part.duration;
        return { ...part, index, sequence, discontinuity, discontinuitySequence, key, map, start, end };
    });
}

/** The key of a tag for identity or Clear Key, or null for a key system that this page does not support. */
function usableKey(a, base) {
    const format = a.KEYFORMAT ?? "identity";
    if (!a.URI || !["identity", "org.w3.clearkey"].includes(format)) return null;
    if (format !== "identity") {
        // The URI has the key ID; the key comes with a licence.
        const keyID = hex(Uint8Array.from(atob(a.URI.split(",").at(-1)), (character) => character.charCodeAt(0)));
        return { method: a.METHOD, url: null, iv: null, keyID };
    }
    const url = new URL(a.URI, base).href;
    return { method: a.METHOD, url, iv: a.IV ?? null, keyID: new URL(url).pathname.split("/").pop().toLowerCase() };
}

function linesOf(text) {
    const lines = text.split(/\r?\n/).map((line) => line.trim()).filter(Boolean);
    if (lines[0] !== "#EXTM3U") throw new Error("the answer is no playlist: it does not begin with #EXTM3U");
    return lines;
}

function splitTag(line) {
    const colon = line.indexOf(":");
    return colon < 0 ? [line, ""] : [line.slice(0, colon), line.slice(colon + 1)];
}

/** An attribute list as an object; quoted strings lose their quotes (4.2). */
function attributes(text) {
    const found = {};
    for (const [, name, value] of text.matchAll(/([A-Z0-9-]+)=("[^"]*"|[^,]*)/g)) {
        found[name] = value.replace(/^"|"$/g, "");
    }
    return found;
}

// Makes fragmented MP4 of segments that Media Source Extensions do not take: transport streams, and packed audio. No I/O.

import { parseADTS, samplesPerFrame } from "./adts.js";
import { hex } from "./boxes.js";
import { fragment, initialization } from "./fragment.js";
import { joined, parseTransportStream } from "./transport-stream.js";

const clock = 90_000;
const wrap = 2 ** 33;
const streamTypes = { h264: 0x1b, aac: 0x0f, id3: 0x15 };

/** True if `transmux` supports a codec, by its name in CODECS. */
export const isTransmuxed = (name) => /^(avc|mp4a\.40\.(?!34))/i.test(name);

/** True if `transmux` supports all codecs of a MIME type. */
export function canTransmux(type) {
    return (/codecs="([^"]*)"/.exec(type)?.[1] ?? "").split(",").every(isTransmuxed);
}

/**
 * A segment as fragmented MP4: `{init, token, media, start, messages}`; the token tells one `init` from another, `start` is the media time of the first picture, or
 * of the first sound where there is none, in seconds from 1970 on.
 *
 * `segment` is its line in the playlist, which says near which of all times that the timestamps leave open it is; `size` is
 * that of the pictures, and `type` the MIME type of what is wanted: sound that it does not name is left out.
 */
export function transmux(bytes, segment, size, type) {
    const streams = bytes[0] === 0x47 ? parseTransportStream(bytes) : [packedAudio(bytes)];
    // One wrap for all of a segment, or its tracks would be a day apart.
    const first = streams.flatMap(({ packets }) => packets.map(({ dts }) => dts)).at(0);
    if (first === undefined) throw new Error("the segment has no media");
    const turns = Math.round((segment.start * clock - first) / wrap);
    const origin = (time) => time + (turns + Math.round((first - time) / wrap)) * wrap;

    const tracks = [];
    const messages = [];
    const hasSound = type.includes("mp4a");
    for (const { type: streamType, packets } of streams) {
        if (packets.length === 0 || streamType === streamTypes.aac && !hasSound) continue;
        const id = tracks.length + 1;
        if (streamType === streamTypes.h264) tracks.push(videoTrack(id, packets, origin, segment, size));
        else if (streamType === streamTypes.aac) tracks.push(audioTrack(id, packets, origin));
        else if (streamType === streamTypes.id3) messages.push(...packets.map(({ pts, data }) => message(origin(pts) / clock, data)));
        else throw new Error(`stream type ${streamType} of the transport stream is not known to this page`);
    }
    for (const { tags } of tracks) messages.push(...tags ?? []);
    if (tracks.length === 0) throw new Error("the segment has none of the media that its playlist names");
    const leading = tracks.find(({ video }) => video) ?? tracks[0];
    const config = tracks.map(({ video, audio }) =>
        hex(video ? joined([...video.sps, ...video.pps]) : audio.config)).join(" ");
    return {
        init: initialization(tracks),
        token: config,
        media: fragment(segment.sequence % 2 ** 32, tracks),
        start: leading.start,
        messages,
    };
}

const message = (time, data) => ({ scheme: "ID3", id: 0, time, data });

/** Reads packed audio (RFC 8216bis 3.1.3): ADTS after an ID3 tag with the time of the first frame. */
function packedAudio(bytes) {
    const owner = "com.apple.streaming.transportStreamTimestamp";
    const head = new TextDecoder("latin1").decode(bytes.subarray(0, 256));
    const place = head.indexOf(owner) + owner.length + 1;
    if (place <= owner.length) throw new Error("the segment of audio does not tell its time");
    const view = new DataView(bytes.buffer, bytes.byteOffset + place, 8);
    const pts = Number(view.getBigUint64(0) % BigInt(wrap));
    return { type: streamTypes.aac, packets: [{ pts, dts: pts, data: bytes, isPacked: true }] };
}

function audioTrack(id, packets, origin) {
    // Frames may lie across packets; timestamps are of the first that begins in one.
    const { frames, tags, config, sampleRate, channels } = parseADTS(joined(packets.map(({ data }) => data)));
    if (!config || frames.length === 0) throw new Error("the segment has no frame of AAC");
    const start = origin(packets[0].pts) / clock;
    const samples = frames.map((data) => ({ data, duration: samplesPerFrame, offset: 0, isSync: true }));
    return {
        id,
        timescale: sampleRate,
        audio: { config, sampleRate, channels },
        decodeTime: Math.round(start * sampleRate),
        start,
        samples,
        // The first tag of packed audio is its time, and nothing else.
        tags: tags.slice(packets[0].isPacked ? 1 : 0)
            .map((tag) => message(start + (tag.frames * samplesPerFrame) / sampleRate, tag.data)),
    };
}

function videoTrack(id, packets, origin, segment, size) {
    const [sps, pps] = [new Map(), new Map()];
    const samples = packets.map(({ pts, dts, data }) => {
        const units = [];
        let isSync = false;
        for (const unit of unitsOf(data)) {
            const type = unit[0] & 31;
            // Delimiters and filler data say nothing to a decoder of samples.
            if (type === 7) sps.set(hex(unit), unit);
            else if (type === 8) pps.set(hex(unit), unit);
            else if (type !== 9 && type !== 12) {
                isSync ||= type === 5;
                units.push(Uint8Array.of(unit.length >>> 24, unit.length >> 16, unit.length >> 8, unit.length), unit);
            }
        }
        const time = origin(dts);
        return { data: joined(units), time, offset: origin(pts) - time, isSync };
    });
    if (sps.size === 0 || pps.size === 0) throw new Error("the segment has no parameter sets");
    // One that begins without a key frame, as it may where an encoder sends none, is decoded from the one before.
    const end = samples[0].time + Math.round(segment.duration * clock);
    samples.forEach((sample, index) => {
        const next = samples[index + 1]?.time ?? Math.max(end, sample.time + 1);
        sample.duration = Math.max(1, Math.min(next - sample.time, 10 * clock));
    });
    const start = (samples[0].time + samples[0].offset) / clock;
    const video = { width: size?.width || 1280, height: size?.height || 720, sps: [...sps.values()], pps: [...pps.values()] };
    return { id, timescale: clock, video, decodeTime: samples[0].time, start, samples };
}

/** NAL units behind start codes (ISO/IEC 14496-10 Annex B), without the zeros that follow them. */
function* unitsOf(bytes) {
    let start = -1;
    for (let i = 0; i + 2 < bytes.length;) {
        // Of three bytes, the last decides how far the next start code is.
        if (bytes[i + 2] > 1) i += 3;
        else if (bytes[i] === 0 && bytes[i + 1] === 0 && bytes[i + 2] === 1) {
            if (start >= 0) yield trimmed(bytes, start, i);
            i += 3;
            start = i;
        } else i += 1;
    }
    if (start >= 0 && start < bytes.length) yield trimmed(bytes, start, bytes.length);
}

function trimmed(bytes, start, end) {
    while (end > start + 1 && bytes[end - 1] === 0) end -= 1;
    return bytes.subarray(start, end);
}

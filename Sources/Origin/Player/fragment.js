// Writes the parts of fragmented MP4 (ISO/IEC 14496-12) that Media Source Extensions need. No I/O.

import { joined } from "./transport-stream.js";

const text = (characters) => Uint8Array.from(characters, (character) => character.charCodeAt(0));
const u8 = (...values) => Uint8Array.from(values);
const u16 = (...values) => joined(values.map((value) => u8(value >> 8 & 255, value & 255)));
const u32 = (...values) => {
    const view = new DataView(new ArrayBuffer(4 * values.length));
    values.forEach((value, index) => view.setUint32(4 * index, value));
    return new Uint8Array(view.buffer);
};
const u64 = (value) => u32(Math.floor(value / 2 ** 32), value % 2 ** 32);
const zeros = (count) => new Uint8Array(count);

function box(type, ...contents) {
    const content = joined(contents);
    return joined([u32(8 + content.length), text(type), content]);
}

const fullBox = (type, version, flags, ...contents) => box(type, u32(version * 2 ** 24 + flags), ...contents);
const matrix = u32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);

/** The initialization segment of tracks: `{id, timescale, video: {…}}` or `{…, audio: {…}}`, as `videoEntry` and `audioEntry` read them. */
export function initialization(tracks) {
    const movie = fullBox("mvhd", 0, 0, u32(0, 0, 1000, 0, 0x10000), u16(0x100, 0), zeros(8), matrix, zeros(24), u32(tracks.length + 1));
    const extends_ = tracks.map(({ id }) => fullBox("trex", 0, 0, u32(id, 1, 0, 0, 0)));
    return joined([
        box("ftyp", text("iso6"), u32(0), text("iso6"), text("mp41")),
        box("moov", movie, ...tracks.map(trackBox), box("mvex", ...extends_)),
    ]);
}

function trackBox(track) {
    const { id, timescale, video } = track;
    const size = video ? u32(video.width * 0x10000, video.height * 0x10000) : zeros(8);
    const header = fullBox("tkhd", 0, 3, u32(0, 0, id, 0, 0), zeros(8), u16(0, 0, video ? 0 : 0x100, 0), matrix, size);
    const media = fullBox("mdhd", 0, 0, u32(0, 0, timescale, 0), u16(0x55c4, 0));
    const handler = fullBox("hdlr", 0, 0, u32(0), text(video ? "vide" : "soun"), zeros(13));
    const mediaHeader = video ? fullBox("vmhd", 0, 1, zeros(8)) : fullBox("smhd", 0, 0, zeros(4));
    const data = box("dinf", fullBox("dref", 0, 0, u32(1), fullBox("url ", 0, 1)));
    const none = (type) => fullBox(type, 0, 0, u32(0));
    const entry = video ? videoEntry(video) : audioEntry(track.audio);
    const table = box("stbl", fullBox("stsd", 0, 0, u32(1), entry), none("stts"), none("stsc"), fullBox("stsz", 0, 0, u32(0, 0)), none("stco"));
    return box("trak", header, box("mdia", media, handler, box("minf", mediaHeader, data, table)));
}

/** `{width, height, sps, pps}`: one parameter set of each, or several. */
function videoEntry({ width, height, sps, pps }) {
    const sets = (list) => list.flatMap((set) => [u16(set.length), set]);
    const avcC = box("avcC", u8(1, sps[0][1], sps[0][2], sps[0][3], 0xff, 0xe0 | sps.length), ...sets(sps), u8(pps.length), ...sets(pps));
    return box("avc1", zeros(6), u16(1), zeros(16), u16(width, height), u32(0x480000, 0x480000, 0), u16(1), zeros(32), u16(24, 0xffff), avcC);
}

/** `{config, sampleRate, channels}`; the first is AudioSpecificConfig. */
function audioEntry({ config, sampleRate, channels }) {
    const specific = joined([u8(5, config.length), config]);
    const decoder = joined([u8(0x40, 0x15), zeros(3), u32(0, 0), specific]);
    const descriptor = joined([u16(0), u8(0), u8(4, decoder.length), decoder, u8(6, 1, 2)]);
    const esds = fullBox("esds", 0, 0, u8(3, descriptor.length), descriptor);
    return box("mp4a", zeros(6), u16(1), zeros(8), u16(channels, 16), u32(0), u16(sampleRate < 65536 ? sampleRate : 0, 0), esds);
}

/**
 * A movie fragment of tracks: `{id, decodeTime, samples}`, with samples `{data, duration, offset, isSync}`, times in the track's
 * timescale.
 */
export function fragment(sequence, tracks) {
    const write = (place) => box("moof", fullBox("mfhd", 0, 0, u32(sequence)), ...tracks.map((track) => {
        const runs = track.samples.map(({ data, duration, offset, isSync }) =>
            u32(duration, data.length, isSync ? 0x02000000 : 0x01010000, offset));
        const start = place;
        place += track.samples.reduce((sum, { data }) => sum + data.length, 0);
        return box("traf",
            fullBox("tfhd", 0, 0x020000, u32(track.id)),
            fullBox("tfdt", 1, 0, u64(track.decodeTime)),
            // Version 1: offsets may be negative.
            fullBox("trun", 1, 0xf01, u32(track.samples.length, start), ...runs));
    }));
    const offset = write(0).length + 8;
    return joined([write(offset), box("mdat", ...tracks.flatMap(({ samples }) => samples.map(({ data }) => data)))]);
}

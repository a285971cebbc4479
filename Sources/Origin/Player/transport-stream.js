// Reads a transport stream (ISO/IEC 13818-1), one whole segment at a time. No I/O.

const packetSize = 188;

/** PES packets of the streams that the program map names: `[{type, packets: [{pts, dts, data}]}]`, times in ticks of 90 kHz. */
export function parseTransportStream(bytes) {
    let mapPID = null;
    const streams = new Map();
    for (let start = 0; start + packetSize <= bytes.length; start += packetSize) {
        if (bytes[start] !== 0x47) throw new Error("the segment is no transport stream");
        const begins = (bytes[start + 1] & 0x40) !== 0;
        const pid = (bytes[start + 1] & 0x1f) << 8 | bytes[start + 2];
        const control = bytes[start + 3] >> 4 & 3;
        let offset = start + 4;
        if (control & 2) offset += 1 + bytes[offset];
        const end = start + packetSize;
        if (!(control & 1) || offset >= end) continue;
        const payload = bytes.subarray(offset, end);
        if (pid === 0 && begins) mapPID ??= programMapPID(payload);
        else if (pid === mapPID && begins && streams.size === 0) addStreams(payload, streams);
        else if (streams.has(pid)) addPayload(streams.get(pid), payload, begins);
    }
    return [...streams.values()].map(({ type, units }) => ({ type, packets: units.map(parsePES).filter(Boolean) }));
}

/** The section behind its pointer field. */
const sectionOf = (payload) => payload.subarray(1 + payload[0]);

function programMapPID(payload) {
    const section = sectionOf(payload);
    return (section[10] & 0x1f) << 8 | section[11];
}

/** Adds the streams of a program map (2.4.4.8); a map of this packager fits into one packet. */
function addStreams(payload, streams) {
    const section = sectionOf(payload);
    const end = 3 + ((section[1] & 15) << 8 | section[2]) - 4;
    for (let offset = 12 + ((section[10] & 15) << 8 | section[11]); offset + 5 <= end;) {
        const pid = (section[offset + 1] & 0x1f) << 8 | section[offset + 2];
        streams.set(pid, { type: section[offset], units: [] });
        offset += 5 + ((section[offset + 3] & 15) << 8 | section[offset + 4]);
    }
}

function addPayload({ units }, payload, begins) {
    if (begins) units.push([payload]);
    else units.at(-1)?.push(payload);
}

/** Parses a PES packet (2.4.3.6); null if it has no timestamp. */
function parsePES(pieces) {
    const bytes = joined(pieces);
    if (bytes.length < 14 || bytes[0] !== 0 || bytes[1] !== 0 || bytes[2] !== 1 || !(bytes[7] & 0x80)) return null;
    const pts = timestamp(bytes, 9);
    const dts = bytes[7] & 0x40 ? timestamp(bytes, 14) : pts;
    return { pts, dts, data: bytes.subarray(9 + bytes[8]) };
}

/** Reads a timestamp of 33 bits, which is too long for bit operations. */
function timestamp(bytes, offset) {
    return (bytes[offset] >> 1 & 7) * 2 ** 30 + bytes[offset + 1] * 2 ** 22 + (bytes[offset + 2] >> 1) * 2 ** 15
        + bytes[offset + 3] * 2 ** 7 + (bytes[offset + 4] >> 1);
}

/** Joins pieces of bytes. */
export function joined(pieces) {
    const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
    let offset = 0;
    for (const piece of pieces) {
        bytes.set(piece, offset);
        offset += piece.length;
    }
    return bytes;
}

// Reads the few ISO BMFF fields that the player needs (ISO/IEC 14496-12). No I/O.

/** The boxes between two offsets, as `{type, start, end}` of their payloads. */
function* boxes(view, start, end) {
    while (start + 8 <= end) {
        let size = view.getUint32(start);
        let header = 8;
        if (size === 1 && start + 16 <= end) {
            size = Number(view.getBigUint64(start + 8));
            header = 16;
        } else if (size === 0) {
            size = end - start;
        }
        if (size < header || start + size > end) return;
        yield { type: view.getUint32(start + 4), start: start + header, end: start + size };
        start += size;
    }
}

const fourCC = (text) => [...text].reduce((value, character) => value * 256 + character.charCodeAt(0), 0);

/** The first box at a path such as `moof/traf/tfdt`, or null. */
function find(view, path) {
    let box = { start: 0, end: view.byteLength };
    for (const name of path.split("/")) {
        const type = fourCC(name);
        let inner = null;
        for (const candidate of boxes(view, box.start, box.end)) {
            if (candidate.type === type) {
                inner = candidate;
                break;
            }
        }
        if (!inner) return null;
        box = inner;
    }
    return box;
}

const viewOf = (bytes) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Ticks per second of the track of an initialization segment, or null (mdhd, 8.4.2). */
export function timescaleOf(init) {
    const view = viewOf(init);
    const mdhd = find(view, "moov/trak/mdia/mdhd");
    if (!mdhd) return null;
    return view.getUint32(mdhd.start + (view.getUint8(mdhd.start) === 1 ? 20 : 12));
}

/** Presentation time in seconds of the first sample of a media segment, or null (tfdt 8.8.12, trun 8.8.8). */
export function presentationStart(segment, timescale) {
    const view = viewOf(segment);
    const tfdt = find(view, "moof/traf/tfdt");
    if (!tfdt || !timescale) return null;
    const isLong = view.getUint8(tfdt.start) === 1;
    const decode = isLong ? Number(view.getBigUint64(tfdt.start + 4)) : view.getUint32(tfdt.start + 4);
    return (decode + firstCompositionOffset(view)) / timescale;
}

function firstCompositionOffset(view) {
    const trun = find(view, "moof/traf/trun");
    if (!trun) return 0;
    const flags = view.getUint32(trun.start) & 0xffffff;
    if (!(flags & 0x800)) return 0;
    // Optional fields in order: data offset, first sample's flags; then per sample duration, size, flags, offset.
    const before = [0x1, 0x4, 0x100, 0x200, 0x400].filter((flag) => flags & flag).length;
    const offset = trun.start + 8 + 4 * before;
    return offset + 4 <= trun.end ? view.getInt32(offset) : 0;
}

/** The event messages in front of a segment's media: `{scheme, id, time, data}`, seconds (emsg version 1, ISO/IEC 23009-1 5.10.3.3). */
export function messagesOf(segment) {
    const view = viewOf(segment);
    const found = [];
    for (const box of boxes(view, 0, view.byteLength)) {
        if (box.type !== fourCC("emsg") || box.end - box.start < 26 || view.getUint8(box.start) !== 1) continue;
        const time = Number(view.getBigUint64(box.start + 8)) / view.getUint32(box.start + 4);
        const schemeEnd = segment.indexOf(0, box.start + 24);
        const valueEnd = segment.indexOf(0, schemeEnd + 1);
        if (schemeEnd < 0 || valueEnd < 0 || valueEnd >= box.end) continue;
        const scheme = new TextDecoder("latin1").decode(segment.subarray(box.start + 24, schemeEnd));
        found.push({ scheme, id: view.getUint32(box.start + 20), time, data: segment.subarray(valueEnd + 1, box.end) });
    }
    return found;
}

/** The key IDs, as hex, of the version 1 pssh boxes in EME initialization data of type `cenc`. */
export function keyIDsOf(initData) {
    const view = new DataView(initData);
    const found = new Set();
    for (const box of boxes(view, 0, view.byteLength)) {
        if (box.type !== fourCC("pssh") || view.getUint8(box.start) === 0) continue;
        const count = view.getUint32(box.start + 20);
        for (let i = 0; i < count && box.start + 40 + 16 * i <= box.end; i += 1) {
            found.add(hex(new Uint8Array(initData, box.start + 24 + 16 * i, 16)));
        }
    }
    return [...found];
}

/** Bytes as lower-case hex digits. */
export function hex(bytes) {
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Hex digits, with or without `0x`, as bytes. */
export function bytesOf(digits) {
    const pairs = digits.replace(/^0x/i, "").match(/../g) ?? [];
    return Uint8Array.from(pairs, (pair) => parseInt(pair, 16));
}

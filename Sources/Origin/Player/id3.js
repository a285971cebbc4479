// Reads the frames of an ID3 tag (version 2.3 and 2.4). No I/O.

const decoders = ["latin1", "utf-16", "utf-16be", "utf-8"];
const synchsafe = (view, offset) => [0, 1, 2, 3].reduce((value, i) => value * 128 + (view.getUint8(offset + i) & 127), 0);

/** Returns one text for each frame; an empty list if the bytes are not a tag. */
export function framesOf(bytes) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (bytes.length < 10 || String.fromCharCode(...bytes.subarray(0, 3)) !== "ID3") return [];
    const version = view.getUint8(3);
    const end = Math.min(bytes.length, 10 + synchsafe(view, 6));
    const frames = [];
    for (let offset = 10; offset + 10 <= end;) {
        const name = String.fromCharCode(...bytes.subarray(offset, offset + 4));
        const size = version === 4 ? synchsafe(view, offset + 4) : view.getUint32(offset + 4);
        // Padding follows the last frame.
        if (!/^[A-Z0-9]{4}$/.test(name) || offset + 10 + size > end) break;
        frames.push(`${name} ${textOf(name, bytes.subarray(offset + 10, offset + 10 + size))}`.trim());
        offset += 10 + size;
    }
    return frames;
}

function textOf(name, content) {
    if (name.startsWith("T") && content.length > 0) {
        const decoder = new TextDecoder(decoders[content[0]] ?? "utf-8");
        return decoder.decode(content.subarray(1)).split("\0").filter(Boolean).join(": ");
    }
    if (name !== "PRIV") return `${content.length} bytes`;
    const zero = content.indexOf(0);
    return `${new TextDecoder("latin1").decode(content.subarray(0, zero))}, ${content.length - zero - 1} bytes`;
}

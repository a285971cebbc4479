// Frames of AAC with headers of their own (ISO/IEC 14496-3 1.A.2.2). No I/O.

const sampleRates = [96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350];

/** Samples that a frame decodes to. */
export const samplesPerFrame = 1024;

/**
 * Parses ADTS bytes: `{frames, tags, config, sampleRate, channels}`; frames without their headers, ID3 tags
 * that stand between them, and AudioSpecificConfig. An incomplete frame at the end is left out.
 */
export function parseADTS(bytes) {
    const found = { frames: [], tags: [], config: null, sampleRate: 0, channels: 0 };
    for (let offset = 0; offset + 7 <= bytes.length;) {
        if (bytes[offset] === 0x49 && bytes[offset + 1] === 0x44 && bytes[offset + 2] === 0x33) {
            const size = 10 + [6, 7, 8, 9].reduce((value, place) => value * 128 + (bytes[offset + place] & 0x7f), 0);
            found.tags.push({ data: bytes.subarray(offset, offset + size), frames: found.frames.length });
            offset += size;
            continue;
        }
        if (bytes[offset] !== 0xff || (bytes[offset + 1] & 0xf6) !== 0xf0) {
            offset += 1;
            continue;
        }
        const header = bytes[offset + 1] & 1 ? 7 : 9;
        const size = (bytes[offset + 3] & 3) << 11 | bytes[offset + 4] << 3 | bytes[offset + 5] >> 5;
        if (size < header || offset + size > bytes.length) break;
        const objectType = (bytes[offset + 2] >> 6) + 1;
        const rate = bytes[offset + 2] >> 2 & 15;
        const channels = (bytes[offset + 2] & 1) << 2 | bytes[offset + 3] >> 6;
        if (!found.config && rate < sampleRates.length) {
            found.config = Uint8Array.of(objectType << 3 | rate >> 1, (rate & 1) << 7 | channels << 3);
            [found.sampleRate, found.channels] = [sampleRates[rate], channels];
        }
        found.frames.push(bytes.subarray(offset + header, offset + size));
        offset += size;
    }
    return found;
}

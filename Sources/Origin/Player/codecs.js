// Codecs by their names in CODECS (RFC 6381). Pure.

/** The known codecs, those that every browser decodes first. */
const known = {
    video: [
        { name: "H.264", pattern: /^avc/i },
        { name: "AV1", pattern: /^av01/i },
        { name: "HEVC", pattern: /^(hvc|hev)/i },
        { name: "Dolby Vision", pattern: /^dv/i },
    ],
    audio: [
        { name: "AAC", pattern: /^mp4a\.40\.(?!34)/i },
        { name: "Opus", pattern: /^opus/i },
        { name: "FLAC", pattern: /^flac/i },
        { name: "MP3", pattern: /^mp4a\.(40\.34|69|6b)/i },
        { name: "ALAC", pattern: /^alac/i },
        { name: "E-AC-3", pattern: /^ec-3/i },
        { name: "AC-3", pattern: /^ac-3/i },
    ],
};

/** The codec of a kind, `video` or `audio`, among the names of CODECS: `{id, name, rank, type}`, or null. */
export function codecOf(kind, names) {
    for (const id of names) {
        const rank = known[kind].findIndex(({ pattern }) => pattern.test(id));
        if (rank >= 0) return { id, name: known[kind][rank].name, rank, type: `${kind}/mp4; codecs="${id}"` };
    }
    return null;
}

// Parts of segments: the next request, the next load, and the position to begin. No I/O.

/** The first position that a playlist does not have yet, as `{sequence, part}`; null while it lists nothing. */
export function nextPosition({ segments, open }) {
    if (open) return { sequence: open.sequence, part: open.parts.length };
    const last = segments.at(-1);
    return last ? { sequence: last.sequence + 1, part: 0 } : null;
}

/** True if a position lies after another one. */
export function isAfter(one, other) {
    return one.sequence === other.sequence ? one.part > other.part : one.sequence > other.sequence;
}

/** The URL of a blocking reload for a position; without parts, the reload waits for a whole segment. */
export function addressOfReload(url, { sequence, part }, hasParts) {
    const address = new URL(url);
    address.searchParams.set("_HLS_msn", sequence);
    if (hasParts) address.searchParams.set("_HLS_part", part);
    return address.href;
}

/** The UTC at which the last listed segment or part ends, or null. */
export function edgeOf(playlist) {
    return playlist?.open?.parts.at(-1).end ?? playlist?.segments.at(-1)?.end ?? null;
}

/**
 * The segments and parts to load, in order of time, for a track that has all media before a UTC: whole segments, and the parts of
 * segments whose first part the track has, or that are not over.
 */
export function* piecesOf({ segments, open }, next) {
    for (const segment of segments) {
        const [first] = segment.parts;
        if (first && (first.start + first.end) / 2 <= next) yield* segment.parts;
        else yield segment;
    }
    if (open) yield* open.parts;
}

/** The latest UTC, up to another one, at which a player can begin: with a segment, or a part with a key frame; or null. */
export function startBefore({ segments, open }, utc) {
    const starts = [...segments, ...(open ? [open] : [])].flatMap(({ start, url, parts }) => [
        ...(url ? [start] : []),
        ...parts.filter(({ isIndependent, gap }) => isIndependent && !gap).map((part) => part.start),
    ]);
    return starts.findLast((start) => start <= utc + 0.001) ?? starts[0] ?? null;
}

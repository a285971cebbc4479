import ISOBMFF

extension [FragmentSample] {
    /// The same samples with their presentation times, on a decode clock that is never behind presentation, if
    /// possible.
    ///
    /// A cut's decode clock is late by the reordering: it begins with the first presentation. EXT-X-PROGRAM-DATE-TIME
    /// needs that, and so do players that place a segment by its decode time (Shaka Player, hls.js). Late pictures then
    /// have negative composition offsets, for which libavformat up to version 8.1 shows all pictures later, by a
    /// picture or two. VLC ignores an edit list. So the clock keeps its beginning and its end, and in between it is the
    /// encoder's. The pictures that were to be decoded before the first one is shown are decoded until the second one
    /// is.
    ///
    /// All stay as they are if pictures are shown before the one that decoding starts with (leading pictures of open
    /// groups).
    var decodedBeforePresentation: [FragmentSample] {
        let delay = reduce(0) { Swift.max($0, -Int64($1.compositionOffset)) }
        guard delay > 0 else { return self }
        var (decode, presentation): ([Int64], [Int64]) = ([], [])
        var end: Int64 = 0
        for sample in self {
            decode.append(end - delay)
            presentation.append(end + Int64(sample.compositionOffset))
            end += Int64(sample.duration)
        }
        guard let early = decode.firstIndex(where: { $0 > 0 }), presentation[0] == 0,
            let next = presentation.dropFirst().min(), case let limit = Swift.min(next, decode[early])
        else { return self }
        for index in 0..<early { decode[index] = limit * Int64(index) / Int64(early) }
        // Pictures that are shown for a tick are decoded in one.
        for index in indices.dropFirst() { decode[index] = Swift.max(decode[index], decode[index - 1] + 1) }
        guard zip(decode, presentation).allSatisfy({ $0 <= $1 }) else { return self }
        return indices.map { index in
            FragmentSample(
                duration: UInt32(clamping: (index + 1 < count ? decode[index + 1] : end) - decode[index]),
                compositionOffset: Int32(clamping: presentation[index] - decode[index]),
                isSync: self[index].isSync,
                payload: self[index].payload,
                subsamples: self[index].subsamples
            )
        }
    }
}

import MediaCore
import Playlists
import TestSupport

extension MediaPlaylist {
    /// Adds what a low-latency playlist has more, at random.
    ///
    /// - Parameters:
    ///   - date: The start of the segment below the last.
    ///   - keys: The keys in force below the last segment.
    ///   - map: The map in force there.
    ///   - generator: Decides.
    mutating func addLowLatency(
        at date: MediaTime,
        _ keys: [EncryptionKey],
        _ map: MediaInitialization?,
        using generator: inout SeededGenerator
    ) {
        let target = MediaTime(milliseconds: Int64.random(in: 200...2000, using: &generator))
        partTarget = target
        serverControl = ServerControl(
            canSkipUntil: target * 60,
            canSkipDateRanges: Bool.random(using: &generator),
            holdBack: Bool.random(using: &generator) ? target * 30 : nil,
            partHoldBack: target * 3,
            canBlockReload: Bool.random(using: &generator)
        )
        for index in segments.indices.suffix(3) { segments[index].parts = .random(of: index, using: &generator) }
        for index in 0..<Int.random(in: 0...2, using: &generator) {
            openSegments.append(
                OpenSegment(
                    programDateTime: date + target * Int64(10 * index),
                    startsDiscontinuity: Bool.random(using: &generator),
                    keys: keys,
                    map: map,
                    parts: .random(of: segments.count + index, using: &generator)
                )
            )
        }
        reports = [RenditionReport(uri: "../audio.m3u8", lastSequence: mediaSequence.next, lastPart: 2)]
        reports.append(RenditionReport(uri: "../text.m3u8", lastSequence: mediaSequence))
        if Bool.random(using: &generator) {
            let lists: [[String]?] = [nil, [], ["a", "b c"]]
            let removed = lists[Int.random(in: 0..<3, using: &generator)]
            skip = Skip(segmentCount: Int.random(in: 1...900, using: &generator), removedDateRanges: removed)
        }
        hints = [
            PreloadHint(kind: .part, uri: "next.m4s", byteRangeStart: 7), PreloadHint(kind: .map, uri: "init.mp4"),
        ]
        if isEnded { (hints, reports) = ([], []) }
    }
}

extension [MediaPlaylist.Part] {
    /// One to four, of one resource or one each.
    fileprivate static func random(of segment: Int, using generator: inout SeededGenerator) -> Self {
        let isOneResource = Bool.random(using: &generator)
        return (0..<Int.random(in: 1...4, using: &generator)).map { index in
            MediaPlaylist.Part(
                uri: isOneResource ? "video/\(segment).m4s" : "video/\(segment).\(index).m4s",
                byteRange: isOneResource ? index * 100..<(index + 1) * 100 : nil,
                duration: SegmentDuration(value: .random(in: 1...2_000_000, using: &generator), timescale: 1_000_000),
                isIndependent: Bool.random(using: &generator),
                isGap: Bool.random(using: &generator)
            )
        }
    }
}

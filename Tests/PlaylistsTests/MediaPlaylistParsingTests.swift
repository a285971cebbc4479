import MediaCore
import Playlists
import TestSupport
import Testing

@Suite struct MediaPlaylistParsingTests {
    @Test(arguments: 0..<200 as Range<UInt64>)
    func whatIsRenderedReadsBackAsItself(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let playlist = MediaPlaylist.random(using: &generator)
        let text = playlist.render()
        let parsed = try MediaPlaylist(parsing: text)
        #expect(parsed == playlist)
        #expect(parsed.render() == text)
    }

    @Test func aSegmentWithoutDateTakesItFromItsNeighbours() throws {
        let playlist = try MediaPlaylist(
            parsing: """
                #EXTM3U
                #EXT-X-TARGETDURATION:6
                #EXTINF:4.0,title, with a comma
                0.ts
                #EXTINF:6,
                1.ts
                #EXT-X-PROGRAM-DATE-TIME:2026-11-21T08:00:00.000Z
                #EXTINF:4.0044449
                2.ts
                #EXTINF:4,
                3.ts
                """
        )
        #expect(
            playlist.segments.map(\.programDateTime.iso8601) == [
                "2026-11-21T07:59:50.000Z", "2026-11-21T07:59:54.000Z", "2026-11-21T08:00:00.000Z",
                "2026-11-21T08:00:04.004Z",
            ]
        )
        #expect(playlist.segments.map(\.duration.description) == ["4.000000", "6.000000", "4.004445", "4.000000"])
    }

    /// Variables that are each made of the last one twice, two dozen times, would be a hundred megabytes.
    @Test func variablesDoNotGrowWithoutEnd() throws {
        func text(_ count: Int) -> String {
            let variables = (1...count).map { "#EXT-X-DEFINE:NAME=\"v\($0)\",VALUE=\"{$v\($0 - 1)}{$v\($0 - 1)}\"\n" }
            return "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-DEFINE:NAME=\"v0\",VALUE=\"0123456789\"\n"
                + variables.joined()
                + "#EXT-X-PROGRAM-DATE-TIME:2026-11-21T08:00:00.000Z\n#EXTINF:4,\n{$v\(count)}.ts\n"
        }
        #expect(try MediaPlaylist(parsing: text(2)).segments.first?.uri.utf8.count == 43)
        #expect(throws: PlaylistParsingError.self) { try MediaPlaylist(parsing: text(24)) }
    }

    @Test func aByteRangeWithoutOffsetGoesOnWhereTheOneBeforeEnded() throws {
        let playlist = try MediaPlaylist(
            parsing: """
                #EXTM3U
                #EXT-X-TARGETDURATION:6
                #EXT-X-PROGRAM-DATE-TIME:2026-11-21T08:00:00.000Z
                #EXTINF:4,
                #EXT-X-BYTERANGE:100@20
                all.ts
                #EXTINF:4,
                #EXT-X-BYTERANGE:5
                all.ts
                #EXTINF:4,
                all.ts
                """
        )
        #expect(playlist.segments.map(\.byteRange) == [20..<120, 120..<125, nil])
    }

    @Test(arguments: [
        ("x", 4), ("5@", 4), ("@5", 4), ("5@6@7", 4), ("-5@6", 4), ("5", 5), ("9223372036854775807@9", 5),
    ])
    func aByteRangeThatNamesNoBytesIsRefused(text: String, line: Int) {
        #expect(throws: Self.error(line, .malformed(tag: "EXT-X-BYTERANGE"))) {
            try MediaPlaylist(
                parsing: """
                    #EXTM3U
                    #EXT-X-TARGETDURATION:6
                    #EXTINF:4,
                    #EXT-X-BYTERANGE:\(text)
                    all.ts
                    """
            )
        }
    }

    @Test func otherTagsArePassedOver() throws {
        let playlist = try MediaPlaylist(
            parsing: """
                #EXTM3U
                #EXT-X-VERSION:9
                #EXT-X-TARGETDURATION:6
                #EXT-X-BITRATE:5000
                #EXT-X-CONTENT-STEERING:SERVER-URI="steering"
                #EXT-X-PRELOAD-HINT:TYPE=WEATHER
                #EXT-X-ENDLIST
                """
        )
        #expect(playlist == MediaPlaylist(targetDuration: 6, mediaSequence: MediaSequenceNumber(0), isEnded: true))
    }

    private static func error(_ line: Int, _ reason: PlaylistParsingError.Reason) -> PlaylistParsingError {
        PlaylistParsingError(line: line, reason: reason)
    }

    @Test(arguments: [
        ("", error(1, .notAPlaylist)),
        ("\u{FEFF}#EXTM3U", error(1, .notAPlaylist)),
        ("#EXTM3U8\n", error(1, .notAPlaylist)),
        ("#EXTM3U\n#EXTINF:4,\n0.ts", error(3, .missing(tag: "EXT-X-TARGETDURATION"))),
        ("#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:4,\n0.ts\n", error(4, .missing(tag: "EXT-X-PROGRAM-DATE-TIME"))),
        ("#EXTM3U\n#EXT-X-TARGETDURATION:0", error(2, .malformed(tag: "EXT-X-TARGETDURATION"))),
        ("#EXTM3U\n#EXT-X-TARGETDURATION:4.5", error(2, .malformed(tag: "EXT-X-TARGETDURATION"))),
        (
            "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-TARGETDURATION:6",
            error(3, .duplicate(tag: "EXT-X-TARGETDURATION"))
        ),
        ("#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-VERSION:6", error(3, .duplicate(tag: "EXT-X-VERSION"))),
        ("#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:-1", error(2, .malformed(tag: "EXT-X-MEDIA-SEQUENCE"))),
        ("#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:9223372036854775807", error(2, .tooLarge(tag: "EXT-X-MEDIA-SEQUENCE"))),
        (
            "#EXTM3U\n#EXT-X-DISCONTINUITY-SEQUENCE:9007199254740993",
            error(2, .tooLarge(tag: "EXT-X-DISCONTINUITY-SEQUENCE"))
        ),
        ("#EXTM3U\n#EXT-X-TARGETDURATION:1000001", error(2, .tooLarge(tag: "EXT-X-TARGETDURATION"))),
        ("#EXTM3U\n#EXT-X-SKIP:SKIPPED-SEGMENTS=9007199254740993", error(2, .malformed(tag: "EXT-X-SKIP"))),
        ("#EXTM3U\n#EXT-X-DISCONTINUITY-SEQUENCE:", error(2, .malformed(tag: "EXT-X-DISCONTINUITY-SEQUENCE"))),
        ("#EXTM3U\n#EXTINF:,\n0.ts", error(2, .malformed(tag: "EXTINF"))),
        ("#EXTM3U\n#EXTINF:-4,\n0.ts", error(2, .malformed(tag: "EXTINF"))),
        ("#EXTM3U\n#EXTINF:99999999999999999999,\n0.ts", error(2, .malformed(tag: "EXTINF"))),
        ("#EXTM3U\n#EXT-X-KEY:METHOD=AES-128", error(2, .malformed(tag: "EXT-X-KEY"))),
        ("#EXTM3U\n#EXT-X-KEY:METHOD=ROT-13,URI=\"k\"", error(2, .malformed(tag: "EXT-X-KEY"))),
        ("#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI=\"k\",IV=0x12", error(2, .malformed(tag: "EXT-X-KEY"))),
        ("#EXTM3U\n#EXT-X-MAP:BYTERANGE=\"1@0\"", error(2, .malformed(tag: "EXT-X-MAP"))),
        ("#EXTM3U\n#EXT-X-PROGRAM-DATE-TIME:yesterday", error(2, .malformed(tag: "EXT-X-PROGRAM-DATE-TIME"))),
        ("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv.m3u8", error(2, .misplaced(tag: "EXT-X-STREAM-INF"))),
        ("#EXTM3U\n0.ts", error(2, .unannouncedURI)),
    ])
    func aBrokenTextIsRefusedWithItsLine(text: String, error: PlaylistParsingError) {
        #expect(throws: error) { try MediaPlaylist(parsing: text) }
    }

    @Test func noTextEndsTheProcess() {
        var generator = SeededGenerator(seed: 8216)
        var read = 0
        for _ in 0..<3000 {
            var bytes = Array(MediaPlaylist.random(using: &generator).render().utf8)
            for _ in 0..<Int.random(in: 1...6, using: &generator) { bytes.mutate(using: &generator) }
            let text = String(decoding: bytes, as: UTF8.self)
            if let playlist = try? MediaPlaylist(parsing: text) {
                read += 1
                _ = playlist.render()
            }
            _ = try? MultivariantPlaylist(parsing: text)
        }
        #expect(read > 100)
    }

    private static let extremes = [
        "0", "-0", "-1", "0.5", "1e300", "nan", "inf", "9223372036854775807", "9223372036854775808",
        "-9223372036854775808", "18446744073709551615", "99999999999999999999999", "999999999999.9999999",
    ]

    /// Numbers that hardly anything can count with: a playlist has them or is refused, and one that has them can be written.
    @Test(
        arguments: extremes,
        [
            "EXT-X-TARGETDURATION:", "EXT-X-MEDIA-SEQUENCE:", "EXT-X-DISCONTINUITY-SEQUENCE:", "EXTINF:",
            "EXT-X-BYTERANGE:",
            "EXT-X-BYTERANGE:1@", "EXT-X-DATERANGE:ID=\"a\",DURATION=", "EXT-X-DATERANGE:ID=\"a\",X-A=",
            "EXT-X-CUE-OUT:",
            "EXT-X-CUE-OUT-CONT:1/", "EXT-X-START:TIME-OFFSET=", "EXT-X-PART-INF:PART-TARGET=",
            "EXT-X-SERVER-CONTROL:CAN-SKIP-UNTIL=", "EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"a\",BYTERANGE-START=",
            "EXT-X-PART-INF:PART-TARGET=1\n#EXT-X-PART:URI=\"a\",DURATION=",
            "EXT-X-RENDITION-REPORT:URI=\"a\",LAST-MSN=",
            "EXT-X-RENDITION-REPORT:URI=\"a\"\n#EXT-X-MEDIA-SEQUENCE:",
        ]
    )
    func extremeNumbersAreTakenOrRefused(number: String, tag: String) {
        for date in ["0000-01-01T00:00:00Z", "9999-12-31T23:59:60.999999999-99:99"] {
            for end in ["", "#EXTINF:999999,\nb.ts\n#EXT-X-DISCONTINUITY\n#EXTINF:999999,\nc.ts\n"] {
                let text = """
                    #EXTM3U
                    #EXT-X-TARGETDURATION:4
                    #EXT-X-PROGRAM-DATE-TIME:\(date)
                    #EXTINF:4,
                    #\(tag)\(number)
                    a.ts
                    \(end)
                    """
                guard let playlist = try? MediaPlaylist(parsing: text) else { continue }
                #expect(playlist.render().hasPrefix("#EXTM3U"))
            }
        }
    }
}

extension [UInt8] {
    /// Changes, repeats, removes or duplicates something at a random place.
    fileprivate mutating func mutate(using generator: inout SeededGenerator) {
        guard !isEmpty else { return }
        let index = Int.random(in: indices, using: &generator)
        let end = Int.random(in: index..<Swift.min(index + 40, count), using: &generator)
        switch Int.random(in: 0..<5, using: &generator) {
        case 0: self[index] = UInt8.random(in: 0...255, using: &generator)
        case 1: self[index] = "\n\r#:,=\"-9\0".utf8.randomElement(using: &generator) ?? 0
        case 2: removeSubrange(index..<end)
        case 3: insert(contentsOf: self[index..<end], at: Int.random(in: indices, using: &generator))
        default: insert(contentsOf: repeatElement(UInt8(ascii: "9"), count: 20), at: index)
        }
    }
}

extension MediaPlaylist {
    /// A playlist whose gaps carry the scope they stand in, as published ones do.
    fileprivate static func random(using generator: inout SeededGenerator) -> MediaPlaylist {
        var playlist = MediaPlaylist(
            targetDuration: Int.random(in: 1...20, using: &generator),
            mediaSequence: MediaSequenceNumber(Int64.random(in: 0...500_000_000, using: &generator)),
            discontinuitySequence: Int.random(in: 0...9, using: &generator),
            isIFramesOnly: Bool.random(using: &generator),
            isEnded: Bool.random(using: &generator)
        )
        playlist.isOnDemand = Bool.random(using: &generator)
        var date = MediaTime(milliseconds: Int64.random(in: 0...4_000_000_000_000, using: &generator))
        var keys: [EncryptionKey] = []
        var map: MediaInitialization?
        for index in 0..<Int.random(in: 0...12, using: &generator) {
            if Int.random(in: 0..<3, using: &generator) == 0 { keys = .random(using: &generator) }
            if map == nil || Bool.random(using: &generator) {
                map = MediaInitialization(uri: "init-\(Int.random(in: 0..<3, using: &generator)).mp4")
            }
            map?.keys = [keys, [], .random(using: &generator)].randomElement(using: &generator) ?? []
            let milliseconds = Int64.random(in: 1...20_000, using: &generator)
            let offset = Int.random(in: 0...1_000_000, using: &generator)
            playlist.segments.append(
                Segment(
                    uri: "video/\(index).m4s",
                    byteRange: Bool.random(using: &generator) ? offset..<offset + 1 + index : nil,
                    duration: SegmentDuration(value: milliseconds * 1000, timescale: 1_000_000),
                    programDateTime: date,
                    isGap: Bool.random(using: &generator),
                    startsDiscontinuity: Bool.random(using: &generator),
                    keys: keys,
                    map: map
                )
            )
            date += MediaTime(milliseconds: milliseconds)
        }
        if Bool.random(using: &generator) { playlist.addLowLatency(at: date, keys, map, using: &generator) }
        return playlist
    }
}

extension [EncryptionKey] {
    /// Each of one of three formats, in any order.
    fileprivate static func random(using generator: inout SeededGenerator) -> Self {
        let formats = [nil, "com.example.system", "com.example.other"].shuffled(using: &generator)
        return formats.prefix(Int.random(in: 0...3, using: &generator)).map { .random($0, using: &generator) }
    }
}

extension EncryptionKey {
    fileprivate static func random(_ format: String?, using generator: inout SeededGenerator) -> EncryptionKey {
        EncryptionKey(
            method: [.aes128, .sampleAES, .sampleAESCounterMode].randomElement(using: &generator) ?? .aes128,
            uri: "keys/\(UInt8.random(in: 0...3, using: &generator))",
            initializationVector: Bool.random(using: &generator) ? Bytes16(high: generator.next(), low: 0) : nil,
            keyFormat: format,
            keyFormatVersions: Bool.random(using: &generator) ? "1/2" : nil
        )
    }
}

import Files
import Foundation
import MediaCore
import NIOCore
import Synchronization
import TestSupport
import Testing

@testable import AdSources

/// Advertisements that lie in a directory, and which of them fill a break.
@Suite struct AdDirectoryTests {
    private static func media(_ seconds: Double..., end: String = "#EXT-X-ENDLIST\n") -> String {
        "#EXTM3U\n#EXT-X-TARGETDURATION:10\n" + seconds.map { "#EXTINF:\($0),\nsegment.ts\n" }.joined() + end
    }

    private static func directory(_ files: [String: String]) throws -> TemporaryDirectory {
        let directory = try TemporaryDirectory()
        for (name, text) in files {
            let parent = (directory.file("ads/" + name) as NSString).deletingLastPathComponent
            try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
            _ = try directory.write(text, to: "ads/" + name)
        }
        return directory
    }

    private static func adBreak(_ seconds: Int64?, _ id: String = "7-ad") -> AdBreak {
        AdBreak(id: id, channel: "live", start: .zero, duration: seconds.map { MediaTime(seconds: $0) })
    }

    @Test func eachFinishedPlaylistIsAnAdvertisement() throws {
        let directory = try Self.directory([
            "a/index.m3u8": "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nlow/a.m3u8\n",
            "a/low/a.m3u8": Self.media(6, 4.5), "b/index.m3u8": Self.media(20),
            "c.json": #"{"URI": "https://ads.example.com/c.m3u8", "DURATION": 5}"#,
            "notes/readme.txt": "nothing", ".hidden/index.m3u8": Self.media(1),
            "live/index.m3u8": Self.media(6, end: ""), "empty/index.m3u8": Self.media(),
            "lost/index.m3u8": "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n../b/index.m3u8\n",
            "d.json": #"{"URI": "relative.m3u8", "DURATION": 5}"#, "e.json": "[",
        ])
        let (assets, problems) = try AdDirectory(directory.file("ads")).contents()
        #expect(
            assets == [
                .init(uri: "a/index.m3u8", seconds: 10.5), .init(uri: "b/index.m3u8", seconds: 20),
                .init(uri: "https://ads.example.com/c.m3u8", seconds: 5),
            ]
        )
        #expect(problems.count == 5, "\(problems)")
    }

    /// Characters that mean something in an address are encoded; a name that no path of the origin has is reported.
    @Test func namesBecomePathsOrAreOnRecord() throws {
        let directory = try Self.directory(["50%#1/index.m3u8": Self.media(6), "of today/index.m3u8": Self.media(6)])
        let (assets, problems) = try AdDirectory(directory.file("ads")).contents()
        #expect(assets.map(\.uri) == ["50%25%231/index.m3u8"])
        #expect(problems.count == 1 && problems[0].contains("of today is left out: its name"), "\(problems)")
    }

    @Test func aBreakIsFilledAsFarAsItGoes() async throws {
        let directory = try Self.directory([
            "a/index.m3u8": Self.media(10), "b/index.m3u8": Self.media(15), "c/index.m3u8": Self.media(7),
        ])
        let source = AdDirectory(directory.file("ads"))
        for (room, filled) in [(30, 25.0), (32, 32), (17, 17), (9, 7), (6, 0), (3600, 32)] {
            let list = try await source.assets(for: Self.adBreak(Int64(room)))
            #expect(list.assets.reduce(0) { $0 + $1.seconds } == filled, "\(room) s")
            #expect(Set(list.assets.map(\.uri)).count == list.assets.count)
        }
        #expect(try await source.assets(for: Self.adBreak(nil)).assets.count == 3)
    }

    /// A disk that stands still, as one of another machine may.
    private final class HeldDisk: ForwardingFileSystem {
        let disk: any FileSystem = LocalFileSystem.published
        let gate = Gate(isClosed: true)

        func list(_ path: String) throws(FileError) -> [String] {
            gate.pass()
            return try disk.list(path)
        }
    }

    private final class Counts: Sendable {
        private let state = Mutex((served: 0, refused: 0))
        var served: Int { state.withLock(\.served) }
        var refused: Int { state.withLock(\.refused) }

        func note(isServed: Bool) {
            state.withLock { state in
                state.served += isServed ? 1 : 0
                state.refused += isServed ? 0 : 1
            }
        }
    }

    /// However many breaks ask, no thread of tasks waits for the disk, and what waits for it is bounded.
    @Test(.timeLimit(.minutes(2))) func aDiskThatStandsStillHoldsUpNothingElse() async throws {
        let directory = try Self.directory(["a/index.m3u8": Self.media(10)])
        let disk = HeldDisk()
        let source = AdDirectory(directory.file("ads"), files: disk)
        let counts = Counts()
        await withTaskGroup(of: Void.self) { group in
            for id in 0..<40 {
                group.addTask {
                    let list = try? await source.assets(for: Self.adBreak(30, "\(id)"))
                    counts.note(isServed: list != nil)
                }
            }
            // Tasks run, although more of them wait than there are threads for them.
            while counts.refused < 24 { await Task.yield() }
            #expect(counts.served == 0)
            disk.gate.open()
        }
        #expect(counts.served == 16 && counts.refused == 24)
    }

    /// Breaks of one length do not all have the same, and one break always has.
    @Test func breaksTakeTurns() {
        let assets = (0..<10).map { AssetList.Asset(uri: "\($0)", seconds: 10) }
        let room = MediaTime(seconds: 20)
        let chosen = (0..<50).map { AdSelection.filling(room, with: assets, for: "\($0)-ad").map(\.uri) }
        #expect(chosen.allSatisfy { $0.count == 2 })
        #expect(Set(chosen).count > 5)
        #expect(chosen == (0..<50).map { AdSelection.filling(room, with: assets, for: "\($0)-ad").map(\.uri) })
    }

    @Test func lengthsThatAreNearlyRoundFit() {
        let assets = [9.98, 10.02, 10.01].enumerated().map { AssetList.Asset(uri: "\($0)", seconds: $1) }
        #expect(AdSelection.filling(MediaTime(seconds: 30), with: assets, for: "x").count == 3)
    }

    @Test func nothingElseOfTheDiskIsServed() throws {
        let directory = try Self.directory(["a/index.m3u8": Self.media(10), ".b/c": "x"])
        _ = try directory.write("secret", to: "secret")
        let files = AdFiles(directory.file("ads"))
        #expect(try files.byteCount(of: "a/index.m3u8") == Self.media(10).utf8.count)
        for path in ["../secret", "a/../../secret", ".b/c", "a//index.m3u8", "/etc/passwd", "a", "a/none", ""] {
            #expect((try? files.byteCount(of: Substring(path))).flatMap { $0 } == nil, "\(path)")
        }
    }

    /// Lengths that no number of tenths can say.
    @Test(arguments: ["1e20", "1e300", "1e308", "inf", "nan", "-1", "86401", "0x1p70"])
    func aLengthBeyondAllReasonIsLeftOut(length: String) async throws {
        let playlist = "#EXTM3U\n#EXTINF:\(length),\n1.ts\n#EXTINF:\(length),\n2.ts\n#EXT-X-ENDLIST\n"
        let directory = try Self.directory(["a/index.m3u8": Self.media(10), "b/index.m3u8": playlist])
        let source = AdDirectory(directory.file("ads"))
        let problems = try source.contents().problems
        #expect(problems.count == 1, "\(problems)")
        let list = try await source.assets(for: Self.adBreak(30))
        #expect(list.assets.map(\.uri) == ["a/index.m3u8"])
    }

    @Test(arguments: [0, -1, .infinity, -.infinity, .nan, 1e20, 1e300, -1e300, .leastNonzeroMagnitude])
    func noLengthStopsTheSelection(seconds: Double) {
        let assets = [
            AssetList.Asset(uri: "a", seconds: seconds), AssetList.Asset(uri: "b", seconds: 10),
        ]
        for room in [MediaTime(seconds: 30), MediaTime(ticks: .max), MediaTime(ticks: .min)] {
            let chosen = AdSelection.filling(room, with: assets, for: "7-ad").map(\.uri)
            let expected = room > .zero ? ["b"] : []
            #expect(chosen == expected)
        }
    }
}

import ContentProtection
import MediaCore
import Operations
import Playlists
import Testing
import Timeline

@testable import Segmenting

/// Ladders whose classes of video have keys of their own.
///
/// Slots last 8 s, crypto periods two of them.
@Suite struct EngineKeyClassTests {
    private static let standard = [PictureFormat(width: 1920, height: 1080), PictureFormat(width: 3840, height: 2160)]
    private static let pq = PictureFormat(
        width: 1280,
        height: 720,
        colour: ColourDescription(primaries: 9, transfer: 16, matrix: 9, isFullRange: false)
    )

    /// An engine with a ladder of 360, 1080 and 2160 lines, and of 720 in high dynamic range, and audio.
    private struct Run {
        var engine: ChannelEngine
        var encoder: EngineEncoder
        /// Classes that no source has keys of.
        var lacking: Set<KeyClass>
        let first = CryptoPeriods(slotsPerPeriod: 2).period(of: EngineRun.grid.slot(at: EngineRun.start))
        var now: MediaTime
        private(set) var asked: Set<KeyClass> = []
        private(set) var requests: [KeyTimeline.Request] = []
        private(set) var declared: [RenditionDescription] = []
        private(set) var decisions: [ChannelEngine.SlotDecision] = []
        private(set) var notes: [String] = []

        init(
            _ apart: [VideoClass] = VideoClass.allCases,
            _ rungs: [PictureFormat] = EngineKeyClassTests.standard + [EngineKeyClassTests.pq],
            late policy: LateKey = .gap,
            lacking: Set<KeyClass> = [],
            rotates: Bool = true,
            after window: PublishedWindow? = nil,
            at start: MediaTime = EngineRun.start
        ) {
            var configuration = EngineRun.configuration(.pts, .slot, lateKey: policy)
            configuration.backupCount = 0
            configuration.cryptoPeriods = CryptoPeriods(slotsPerPeriod: rotates ? 2 : nil)
            configuration.keyClasses = KeyClasses(apart: apart)
            engine = ChannelEngine(configuration: configuration)
            encoder = EngineEncoder(.input(0), latency: MediaTime(milliseconds: 120), from: start)
            encoder.rungs = rungs
            self.lacking = lacking
            now = start
            if let window { handle(.resumed(window)) }
            for event: ChannelEngine.Event in [
                .added(encoder.input, .live), .opened(encoder.input, encoder.tracks),
                .began(encoder.input, encoder.tracks, timestampModulus: EngineEncoder.modulus),
            ] {
                handle(event)
            }
        }

        private mutating func handle(_ event: ChannelEngine.Event) {
            for action in engine.handle(event, at: ClockReading(utc: now, wallClock: now)) {
                switch action {
                case .requestKeys(let request):
                    asked.formUnion(request.classes)
                    requests.append(request)
                    let known = Set(request.classes).subtracting(lacking)
                    let keys = known.map { ($0, [KeyReference.made(for: $0, request.period)]) }
                    handle(.keysArrived(request.period, Dictionary(uniqueKeysWithValues: keys)))
                    if known.count < request.classes.count { handle(.keysFailed(request.period, reason: "no licence")) }
                case .publish(let slots):
                    decisions += slots
                    declared = slots.last?.renditions ?? declared
                case .report(.record(let event)) where event.kind == .keys: notes.append(event.message)
                default: break
                }
            }
        }

        /// Sends until then, in seconds from when all tests begin.
        mutating func send(until seconds: Int64) {
            while now < EngineRun.start + MediaTime(seconds: seconds) {
                now += MediaTime(milliseconds: 200)
                for packet in encoder.packets(until: now - encoder.latency) {
                    handle(.packet(encoder.input, packet.packet))
                }
                handle(.timeAdvanced([]))
            }
        }

        /// The keys that protect each rendition slot by slot: class and period, or a dash for a gap.
        var keys: [String: [String]] {
            decisions.reduce(into: [:]) { keys, decision in
                for segment in decision.segments {
                    keys[segment.id.name, default: []].append(name(segment.contents.protection))
                }
            }
        }

        var sessionKeys: [[String]] {
            decisions.map { ($0.announcement?.sessionKeys ?? []).map { name(.keys([$0])) } }
        }

        private func name(_ protection: SegmentProtection) -> String {
            switch protection {
            case .clear, .clearLead: "clear"
            case .missing: "-"
            case .keys(let references):
                references.map { reference in
                    let keyClass = KeyClass.allCases.first { KeyReference.made(for: $0, reference.period) == reference }
                    return "\(keyClass?.rawValue ?? "?") \(reference.period.index - first.index)"
                }.joined()
            }
        }
    }

    private static func expected(_ keyClass: String) -> [String] { [0, 0, 1, 1, 2, 2].map { "\(keyClass) \($0)" } }

    @Test func eachClassHasItsOwnKeys() {
        var run = Run()
        run.send(until: 50)
        #expect(
            run.keys == [
                "video-360p": Self.expected("sd"), "video-1080p": Self.expected("hd"),
                "video-2160p": Self.expected("uhd"), "video-720p": Self.expected("hdr"),
                "audio": Self.expected("audio"),
            ]
        )
        let all = ["audio", "sd", "hd", "uhd", "hdr"]
        #expect(run.sessionKeys.first == all.map { "\($0) 0" } + all.map { "\($0) 1" })
        #expect(run.asked == Set(KeyClass.allCases).subtracting([.video]), "no video is left to share a key")
    }

    @Test(
        arguments: [
            ([], ["video", "video", "video", "video"]),
            ([.uhd], ["video", "video", "uhd", "video"]),
            ([.hd, .uhd], ["video", "hd", "uhd", "hd"]),
            ([.hdr], ["video", "video", "video", "hdr"]),
        ] as [([VideoClass], [String])]
    )
    func whatIsNotApartSharesAKey(apart: [VideoClass], classes: [String]) {
        var run = Run(apart)
        run.send(until: 50)
        let names = ["video-360p", "video-1080p", "video-2160p", "video-720p"]
        #expect(names.map { run.keys[$0] } == classes.map { Self.expected($0) })
        #expect(run.keys["audio"] == Self.expected("audio"))
    }

    @Test(arguments: LateKey.allCases)
    func aClassWithoutAKeyCostsNoOther(policy: LateKey) {
        var run = Run(late: policy)
        run.send(until: 10)
        run.lacking = [.uhd]
        run.send(until: 90)
        let lost = policy == .reuse ? "uhd 2" : "-"
        let keys = run.keys.mapValues { Array($0.prefix(8)) }
        #expect(keys["video-2160p"] == ["uhd 0", "uhd 0", "uhd 1", "uhd 1", "uhd 2", "uhd 2", lost, lost])
        for (name, keyClass) in [("video-360p", "sd"), ("video-1080p", "hd"), ("audio", "audio")] {
            #expect(keys[name] == [0, 0, 1, 1, 2, 2, 3, 3].map { "\(keyClass) \($0)" }, "\(name)")
        }
        #expect(run.notes.contains { $0.hasPrefix("No key for uhd in crypto period") })
        #expect(!run.notes.contains { $0.hasPrefix("No key for hd ") })
    }

    @Test func aClassThatNoRenditionIsOfIsMissedByNobody() {
        var run = Run([.uhd, .hdr], Self.standard, lacking: [.hdr])
        run.send(until: 50)
        #expect(run.notes.isEmpty, "\(run.notes)")
        #expect(run.keys["video-2160p"] == Self.expected("uhd"))
    }

    @Test func aClassThatNoRenditionIsOfIsAskedForOnceAPeriod() {
        var run = Run([.uhd, .hdr], Self.standard, lacking: [.hdr, .uhd])
        run.send(until: 90)
        let asked = { (keyClass: KeyClass) in run.requests.filter { $0.classes.contains(keyClass) }.map(\.period) }
        #expect(Set(asked(.hdr)).count >= 7)
        #expect(asked(.hdr).count == Set(asked(.hdr)).count)
        #expect(asked(.uhd).count > Set(asked(.uhd)).count, "what is needed is asked for with each segment")
    }

    @Test func aRenditionThatChangesInSizeChangesItsClass() {
        var run = Run()
        run.send(until: 15)
        run.encoder.rungs[0] = PictureFormat(width: 2560, height: 1440)
        run.send(until: 50)
        #expect(run.keys["video-1080p"] == ["hd 0", "hd 0", "uhd 1", "uhd 1", "uhd 2", "uhd 2"])
        #expect(run.sessionKeys.last?.contains { $0.hasPrefix("hd ") } == false)
    }

    /// A restart, or a peer that takes over, knows the classes of what is listed before there is media.
    @Test func whatGoesOnHasTheSameKeys() throws {
        var whole = Run()
        whole.send(until: 50)
        var before = Run()
        before.send(until: 26)
        let newest = try #require(before.decisions.last)
        let edges = newest.segments.map { segment in
            let cut = segment.contents.cut
            let edge = PublishedWindow.Edge(
                start: cut.start.utc,
                end: cut.end.media.value(timescale: cut.timescale),
                timescale: cut.timescale,
                isGap: false
            )
            return (segment.id, edge)
        }
        let window = PublishedWindow(
            newest: newest.number,
            renditions: before.declared,
            edges: Dictionary(uniqueKeysWithValues: edges),
            expires: nil
        )
        var after = Run(after: window, at: EngineRun.start + MediaTime(seconds: 26))
        #expect(after.engine.keyClassesInUse == whole.engine.keyClassesInUse)
        after.send(until: 50)
        let count = after.decisions.count
        #expect(count >= 2)
        #expect(after.sessionKeys.suffix(count) == whole.sessionKeys.suffix(count))
        for (name, keys) in after.keys {
            // It begins within a slot, which is a gap of it.
            let media = keys.drop { $0 == "clear" }
            #expect(media.count >= 2 && whole.keys[name]?.suffix(media.count) == media, "\(name)")
        }
    }

    // MARK: How many keys

    @Test(
        arguments: [
            ([], true, nil), ([.uhd], true, nil), ([.sd, .uhd], true, "needs 8 keys"),
            (VideoClass.allCases, true, "needs 10 keys"), (VideoClass.allCases, false, nil),
        ] as [([VideoClass], Bool, String?)]
    )
    func moreKeysThanADeviceHoldsAreSaidOnce(apart: [VideoClass], rotates: Bool, words: String?) {
        var run = Run(apart, rotates: rotates)
        run.send(until: 50)
        let said = run.decisions.flatMap(\.notes).compactMap { report in
            if case .record(let event) = report, event.kind == .keys { event.message } else { nil }
        }
        #expect(said.count == (words == nil ? 0 : 1), "\(said)")
        if let words { #expect(said.first?.contains(words) == true, "\(said)") }
    }
}

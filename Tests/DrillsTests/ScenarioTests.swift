import Foundation
import MediaCore
import TestSupport
import Testing

@testable import Drills

struct ScenarioTests {
    @Test func everythingThatCanBeSaidIsRead() throws {
        let text = """
            description: Everything at once.
            duration: 30
            warm-up: 12.5 s
            packager:
              segment-duration: 2
              clock: pts
              state: true
              fail-on: [stale, no-key]
              stale-after: 6
              slate: Samples/slate.ts
            packagers: 2
            balancer: true
            cache: true
            disk: { slow: 300 ms }
            inputs:
              - { transport: srt, timestamps: near-wrap }
              - { sample: other.ts, timestamps: arbitrary }
            backups:
              - {}
            faults:
              - { at: 12, target: packager-2, fault: packager-killed, for: 3 }
              - { at: 2.5, target: input-1, fault: loss, rate: 0.1%, of: packets, for: 1500 ms }
              - { at: 5, target: backup-1, fault: audio-lost, track: 2 }
              - { at: 20, target: cache, fault: cache-killed, for: 1 }
            expect:
              gap: at most 2.5 s
              switches: 2
              stall: 0
              discontinuities: 1 to 3
              differences: 0
            """
        let scenario = try Scenario.load(text, file: "Config/drills/everything.yaml") { "/samples/\($0)" }
        let expected = Scenario(
            name: "everything",
            description: "Everything at once.",
            duration: MediaTime(seconds: 30),
            warmUp: MediaTime(milliseconds: 12_500),
            options: [
                .init("clock", ["pts"]), .init("segment-duration", ["2"]),
                .init("slate", ["/samples/Samples/slate.ts"]),
                .init("stale-after", ["6"]), .init("fail-on", ["stale", "no-key"]),
            ],
            keepsState: true,
            inputs: [
                .init(transport: .srt, samplePath: "/samples/Samples/feed.ts", timestamps: .nearWrap),
                .init(transport: .udp, samplePath: "/samples/other.ts", timestamps: .arbitrary),
            ],
            backups: [.init(transport: .udp, samplePath: "/samples/Samples/feed.ts", timestamps: .utc)],
            packagers: 2,
            isBalanced: true,
            isCached: true,
            disk: .slow(MediaTime(milliseconds: 300)),
            faults: [
                ScriptedFault(
                    target: .input(1),
                    action: .feed(.loss(rate: 0.001, of: .packets)),
                    start: MediaTime(milliseconds: 2500),
                    duration: MediaTime(milliseconds: 1500)
                ),
                ScriptedFault(target: .backup(1), action: .feed(.audioLost(track: 1)), start: MediaTime(seconds: 5)),
                ScriptedFault(
                    target: .packager(2),
                    action: .packagerKilled,
                    start: MediaTime(seconds: 12),
                    duration: MediaTime(seconds: 3)
                ),
                ScriptedFault(
                    target: .cache,
                    action: .cacheKilled,
                    start: MediaTime(seconds: 20),
                    duration: MediaTime(seconds: 1)
                ),
            ],
            expectations: [
                MetricLimits(.gap, atMost: 2.5), MetricLimits(.switches, atLeast: 2, atMost: 2),
                MetricLimits(.stall, atLeast: 0, atMost: 0), MetricLimits(.discontinuities, atLeast: 1, atMost: 3),
                MetricLimits(.differences, atLeast: 0, atMost: 0),
            ]
        )
        #expect(scenario == expected)
    }

    @Test(arguments: [("", 4), ("packager: { segment-duration: 1 }", 1), ("packager: { segment-duration: 2 }", 2)])
    func warmUpLeavesAPlayerTimeToBegin(packager: String, segmentDuration: Int64) throws {
        let text = "description: D\nduration: 20\n\(packager)\ninputs: [{}]\nexpect: { gap: 0 }\n"
        let scenario = try Scenario.load(text, file: "a.yaml") { $0 }
        #expect(scenario.segmentDuration == MediaTime(seconds: segmentDuration))
        let targetDuration = (segmentDuration * 3 + 1) / 2
        #expect(scenario.warmUp > MediaTime(seconds: 3 * targetDuration + segmentDuration))
    }

    @Test func everyProblemIsListedWithItsLine() {
        let text = """
            duration: 20
            packager:
              segment-duration: 99
              clocks: pts
              input: udp://1.2.3.4:1
            packagers: 3
            balancer: true
            disk: { slow: 1 }
            inputs:
              - { transport: tcp }
              - { sample: none.ts, colour: red }
            faults:
              - { at: 5, target: input-1, fault: encoder-kiled }
              - { at: -1, target: input-1, fault: encoder-killed }
              - { at: 20, target: input-1, fault: encoder-killed }
              - { at: 18, target: input-1, fault: packets-stop, for: 2 }
              - { at: 5, target: input-3, fault: packets-stop, for: 2 }
              - { at: 5, target: input-2, fault: packager-killed }
              - { at: 5, target: packager-1, fault: packets-stop }
              - { at: 5, target: packager-1, fault: disk-full }
              - { target: input-2, fault: loss, for: 0 }
              - { at: 1, target: input-2, fault: loss, rate: 120%, for: 1 }
              - { at: 3, target: input-2, fault: stall }
              - { at: 4, target: input-2, fault: encoder-killed, for: 5 }
              - { at: 6, target: input-2, fault: loss, rate: 1%, for: 5 }
            expect:
              gap: 4
              gaps: 0
              differences: 0
              stall: soon
            """
        let keys =
            "connections-per-address, log-level, log-format, subtitles, feed-subtitles, subtitle-formats, clock, timecode-offset, "
            + "allowed-publishers, loop, realtime, format, audio-transcode, segment-duration, part-duration, hold-next, window, "
            + "maximum-memory, "
            + "bandwidth, scte35, scte35-ads, "
            + "scte35-pid, scte35-cue-out, scte35-emsg, "
            + "interstitials, ads, ads-url, ads-timeout, ads-private-addresses, session-data, localized-names, "
            + "start-offset, start-precise, "
            + "encryption, encrypt-init, drm, identity-key, "
            + "session-keys, key-hint, key-spread, hdcp-level, allowed-cpc, key-rotation, clear-lead, key-classes, "
            + "key-source, key-credentials, key-authority, key-recipient, key-signer, content-id, accept-new-secret, late-key, "
            + "failback, on-loss, slate, input-timeout, "
            + "frozen-after, silent-after, stale-after, fail-on, state, thumbnails"
        let faults =
            "encoder-killed, encoder-frozen, source-frozen, source-silent, packets-stop, loss, reordering, duplication, "
            + "stall, timestamp-jump, timestamp-wrap, clock-drift, restart, configuration-change, audio-lost, video-lost, "
            + "packager-killed, disk-full, subtitles-lost, packager-upgraded, cache-killed, "
            + "machine-killed"
        let metrics =
            "detection, gap, video-gap, audio-gap, filler, discontinuities, stall, recovery, switches, playlist-age, "
            + "jump, violations, differences, sequence-reuse, ranges, open-ranges, splice-distance, "
            + "failed-requests"
        let expected = """
            a.yaml:1: 'description' is missing
            a.yaml:3: segment-duration: 99 s is out of range; allowed are 1 to 30 s
            a.yaml:4: packager has no key 'clocks'; there are \(keys)
            a.yaml:5: packager has no key 'input'; there are \(keys)
            a.yaml:6: a whole number from 1 to 2 is expected
            a.yaml:7: a balancer needs 'packagers: 2'
            a.yaml:8: nothing is written to the disk without 'state: true' in packager
            a.yaml:10: 'tcp' is none of udp, srt
            a.yaml:11: a feed has no key 'colour'; there are transport, sample, encoder, timestamps
            a.yaml:11: there is no file 'none.ts' in this folder or one above it
            a.yaml:13: there is no fault 'encoder-kiled'; there are \(faults)
            a.yaml:14: encoder-killed begins before the drill
            a.yaml:15: encoder-killed begins when the drill is over, which takes 20 s
            a.yaml:16: packets-stop ends at 20 s, when the drill is over, which takes 20 s
            a.yaml:17: there is no 'input-3' here; there are input-1, input-2, packager-1
            a.yaml:18: packager-killed is done to packagers, such as packager-1
            a.yaml:19: packets-stop is done to inputs and backups, not to a packager
            a.yaml:20: only a disk with a size can be filled: 'disk: { size: 3M }'
            a.yaml:21: 'at' is missing
            a.yaml:21: 'rate' is missing
            a.yaml:22: loss: a rate is between 0 and 1, not 1.2
            a.yaml:23: stall needs a duration
            a.yaml:25: input-2 has encoder-killed of line 24 at that time
            a.yaml:27: '0', 'at most 2 s', 'at least 2 s' or '1 to 2 s' is expected
            a.yaml:28: nothing measures 'gaps'; there are \(metrics)
            a.yaml:29: only a pair can differ: 'packagers: 2'
            a.yaml:30: '0', 'at most 2 s', 'at least 2 s' or '1 to 2 s' is expected
            """
        let error = #expect(throws: ScenarioProblems.self) {
            try Scenario.load(text, file: "a.yaml") { $0 == "none.ts" ? nil : $0 }
        }
        #expect(error?.description == expected)
    }

    @Test func eachPairOfAFleetIsOnTwoMachines() throws {
        let text = """
            description: D
            duration: 20
            packagers: 2
            groups: 3
            machines: 5
            inputs: [{}]
            faults: [{ at: 5, target: machine-1, fault: machine-killed, for: 3 }]
            expect: { stall: 0 }
            """
        let scenario = try Scenario.load(text, file: "fleet.yaml") { $0 }
        let channels = scenario.scenariosOfGroups
        #expect(channels.map(\.name) == ["fleet-1", "fleet-2", "fleet-3"])
        #expect(channels.map { [$0.machine(of: 0), $0.machine(of: 1)] } == [[1, 2], [3, 4], [5, 1]])
        #expect(scenario.faults.map(\.target) == [.machine(1)] && channels.allSatisfy { $0.faults == scenario.faults })
    }

    @Test func channelsOfOneMachineAreOne() {
        let text = "description: D\nduration: 20\ngroups: 3\ninputs: [{}]\nexpect: { stall: 0 }\n"
        let error = #expect(throws: ScenarioProblems.self) { try Scenario.load(text, file: "a.yaml") { $0 } }
        #expect(error?.description == "a.yaml:3: several channels are for several machines: 'machines: 5'")
    }

    @Test func whatNoFleetIsIsRefused() {
        let text = """
            description: D
            duration: 20
            groups: 3
            machines: 2
            inputs: [{}]
            faults:
              - { at: 5, target: machine-1, fault: packager-killed }
              - { at: 5, target: packager-1, fault: machine-killed }
              - { at: 5, target: machine-3, fault: machine-killed }
            expect: { stall: 0 }
            """
        let error = #expect(throws: ScenarioProblems.self) { try Scenario.load(text, file: "a.yaml") { $0 } }
        let expected = """
            a.yaml:4: machines are for pairs: 'packagers: 2'
            a.yaml:7: only machine-killed is done to machines, and to nothing else
            a.yaml:8: only machine-killed is done to machines, and to nothing else
            a.yaml:9: there is no 'machine-3' here; there are input-1, packager-1, machine-1, machine-2
            """
        #expect(error?.description == expected)
    }

    @Test(arguments: [
        ("", "a.yaml:1: the file is empty"),
        ("a: [", "a.yaml:2: while parsing a flow node: did not find expected node content"),
        ("a: 1\na: 2\n", "a.yaml:1: these keys are there more than once: a"),
        ("- 1\n", "a.yaml:1: a scenario is a list of keys with values: "),
    ])
    func whatIsNoMappingIsRefused(text: String, problem: String) {
        let error = #expect(throws: ScenarioProblems.self) { try Scenario.load(text, file: "a.yaml") { $0 } }
        #expect(error?.description.contains(problem) ?? false, "\(String(describing: error))")
    }

    @Test func noTextTrapsTheReader() throws {
        let folder = ScenarioFilesTests.folder
        let texts = try ScenarioFilesTests.names.map {
            Array(try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8).utf8)
        }
        var generator = SeededGenerator(seed: 7)
        for round in 0..<600 {
            var bytes = texts[round % texts.count]
            for _ in 0..<Int.random(in: 1...6, using: &generator) where !bytes.isEmpty {
                let index = bytes.indices.randomElement(using: &generator) ?? 0
                switch Int.random(in: 0...3, using: &generator) {
                case 0: bytes[index] = UInt8.random(in: 0x20...0x7E, using: &generator)
                case 1: bytes.removeSubrange(index..<min(index + 12, bytes.count))
                case 2: bytes.insert(contentsOf: "-9e99".utf8, at: index)
                default: bytes.insert(contentsOf: bytes[index..<min(index + 20, bytes.count)], at: index)
                }
            }
            // Whatever it is, it is a scenario or a list of problems.
            do {
                let scenario = try Scenario.load(String(decoding: bytes, as: UTF8.self), file: "a.yaml") { $0 }
                _ = (scenario.parts, scenario.segmentDuration)
            } catch {
                #expect(!error.problems.isEmpty)
            }
        }
    }
}

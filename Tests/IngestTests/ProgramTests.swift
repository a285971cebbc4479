import Foundation
import MediaCore
import TestSupport
import Testing

@testable import Ingest

/// Transport streams of several programs.
@Suite(.timeLimit(.minutes(5)))
struct ProgramTests {
    /// Programs 10, 20 and 30, of which the last has no video.
    private func makePrograms(_ file: String, _ numbers: [Int] = [10, 20, 30], offset: Int = 0) async throws {
        let tracks = [10: ["0:v", "0:a:0"], 20: ["0:v", "0:a:1"], 30: ["0:a:0"]]
        var (maps, programs, stream): ([String], [String], Int) = ([], [], 0)
        for number in numbers {
            let wanted = tracks[number] ?? []
            maps += wanted.flatMap { ["-map", $0] }
            let streams = wanted.indices.map { ":st=\(stream + $0)" }.joined()
            programs += ["-program", "program_num=\(number)\(streams)"]
            stream += wanted.count
        }
        try await Program.run(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-y", "-i", sample, "-t", "2"] + maps + ["-c", "copy"] + programs
                + ["-output_ts_offset", "\(offset)", file]
        )
    }

    @Test func theFirstProgramWithSomethingToReadIsRead() async throws {
        try await withTemporaryFolder { folder in
            try await ffmpeg(
                "-i",
                sample,
                "-t",
                "1",
                "-map",
                "0:a:0",
                "-map",
                "0:v",
                "-map",
                "0:a:1",
                "-map",
                "0:a:0",
                "-c",
                "copy",
                "-c:a:0",
                "s302m",
                "-strict",
                "-2",
                "-program",
                "program_num=1:st=0",
                "-program",
                "program_num=2:st=1:st=2",
                "-program",
                "program_num=3:st=3",
                "\(folder)/programs.ts"
            )
            let record = await read("\(folder)/programs.ts")
            #expect(record.openings.map { $0.map(\.language) } == [[nil, "de"]])
            #expect(Set(record.packets.map(\.trackIndex)) == Set(record.openings[0].map(\.index)))
        }
    }

    @Test func withoutAChoiceTheFirstIsReadAndAllAreTold() async throws {
        try await withTemporaryFolder { folder in
            try await makePrograms("\(folder)/programs.ts")
            let record = await read("\(folder)/programs.ts")
            #expect(record.openings.map { $0.map(\.program) } == [[10, 10]])
            #expect(record.notices == [.programs(carried: [10, 20, 30], read: [10])])
        }
    }

    @Test(arguments: [(20, [nil, "de"]), (30, ["en"])] as [(Int, [String?])])
    func theChosenOneIsRead(program: Int, languages: [String?]) async throws {
        try await withTemporaryFolder { folder in
            try await makePrograms("\(folder)/programs.ts")
            let record = await read("\(folder)/programs.ts", options: .init(programs: .numbers([program])))
            #expect(record.openings.map { $0.map(\.language) } == [languages])
            #expect(record.openings[0].allSatisfy { $0.program == program })
            #expect(Set(record.packets.map(\.trackIndex)) == Set(record.openings[0].map(\.index)))
            #expect(record.notices == [.programs(carried: [10, 20, 30], read: [program])])
        }
    }

    @Test func oneThatIsNotThereIsTold() async throws {
        try await withTemporaryFolder { folder in
            try await makePrograms("\(folder)/programs.ts")
            let record = await read("\(folder)/programs.ts", options: .init(programs: .numbers([7])))
            #expect(record.openings.isEmpty && record.packets.isEmpty)
            #expect(record.notices == [.programs(carried: [10, 20, 30], read: [])])
        }
    }

    @Test func otherContainersHaveNothingToChoose() async throws {
        try await withTemporaryFolder { folder in
            try await ffmpeg("-i", sample, "-t", "1", "-c", "copy", "\(folder)/feed.mp4")
            let record = await read("\(folder)/feed.mp4", options: .init(programs: .numbers([7])))
            #expect(record.openings.first?.map(\.program) == [nil, nil])
            #expect(record.notices.isEmpty)
        }
    }

    @Test func eachConsumerHasItsProgramForItself() async throws {
        try await withTemporaryFolder { folder in
            try await makePrograms("\(folder)/programs.ts")
            let recorders = [10: Recorder(), 20: Recorder(), 30: Recorder()]
            let fanOut = ProgramFanOut(consumers: recorders)
            let reader = InputReader(
                url: "\(folder)/programs.ts",
                options: .init(programs: fanOut.choice),
                consumer: fanOut
            )
            reader.start()
            await reader.finished()
            for (program, recorder) in recorders {
                let alone = await read("\(folder)/programs.ts", options: .init(programs: .numbers([program])))
                #expect(recorder.record.openings == alone.openings)
                #expect(recorder.record.packets == alone.packets)
                #expect(recorder.record.payloads == alone.payloads)
                #expect(recorder.record.modulus == 1 << 33)
                #expect(recorder.record.notices == alone.notices)
                #expect(recorder.record.isEnded && recorder.record.losses.isEmpty)
            }
        }
    }

    @Test func aProgramThatGoesMayComeBack() async throws {
        try await withTemporaryFolder { folder in
            try await makePrograms("\(folder)/all.ts", [10, 20])
            try await makePrograms("\(folder)/one.ts", [10], offset: 2)
            try await makePrograms("\(folder)/again.ts", [10, 20], offset: 4)
            let parts = try ["all", "one", "again"].map { try Data(contentsOf: URL(filePath: "\(folder)/\($0).ts")) }
            try Data(parts.joined()).write(to: URL(filePath: "\(folder)/changing.ts"))
            let record = await read("\(folder)/changing.ts", options: .init(programs: .numbers([20])))
            #expect(record.losses.isEmpty)
            #expect(record.openings.map { $0.map(\.language) } == [[nil, "de"]])
            #expect(record.packets(of: record.openings[0][0].index).count >= 99)
        }
    }

    @Test func theFirstProgramThatGoesGivesWayToTheNext() async throws {
        try await withTemporaryFolder { folder in
            try await makePrograms("\(folder)/first.ts", [10])
            try await makePrograms("\(folder)/second.ts", [20])
            let parts = try ["first", "second"].map { try Data(contentsOf: URL(filePath: "\(folder)/\($0).ts")) }
            try Data(parts.joined()).write(to: URL(filePath: "\(folder)/changing.ts"))
            let record = await read("\(folder)/changing.ts") { $0.isEnded }
            #expect(record.openings.map { Set($0.map(\.program)) } == [[10], [20]])
        }
    }

    @Test func whoLeavesGetsNothingMore() {
        let recorders = [10: Recorder(), 20: Recorder()]
        let fanOut = ProgramFanOut(consumers: recorders)
        var track = InputTrack(index: 0, kind: .audio, codec: .aac)
        track.program = 10
        var other = track
        other.program = 20
        fanOut.inputOpened(tracks: [track, other], timestampModulus: nil)
        #expect(fanOut.leave(10), "the other one reads on")
        fanOut.inputReceived(
            PacketInfo(trackIndex: 0, presentationTimestamp: 1, decodeTimestamp: 1),
            payload: RawSpan()
        )
        fanOut.inputLost(reason: "cut")
        #expect(recorders[10]?.record.packets.isEmpty == true)
        #expect(recorders[10]?.record.losses.isEmpty == true)
        #expect(recorders[20]?.record.packets.count == 1)
        #expect(!fanOut.leave(20), "nobody is left")
    }

    @Test func teletextIsToldToTheProgramThatHasIt() {
        let recorders = [10: Recorder(), 20: Recorder()]
        let fanOut = ProgramFanOut(consumers: recorders)
        var track = InputTrack(index: InputTrackIndex(1 << 17), kind: .text(.webVTT), codec: .text(.webVTT))
        track.program = 10
        fanOut.inputOpened(tracks: [track], timestampModulus: nil)
        let notices: [InputNotice] = [
            .teletextUnreadable(track: track.index, pages: [888], .damaged),
            .teletextReadable(track: track.index, pages: [888], seconds: 20),
        ]
        for notice in notices { fanOut.inputNoticed(notice) }
        #expect(recorders[10]?.record.notices == notices)
        #expect(recorders[20]?.record.notices == [])
    }

    @Test func whatGoesIsLostForItsConsumerAlone() {
        let recorders = [10: Recorder(), 20: Recorder()]
        let fanOut = ProgramFanOut(consumers: recorders)
        func track(_ index: Int, _ program: Int) -> InputTrack {
            var track = InputTrack(index: InputTrackIndex(index), kind: .audio, codec: .aac)
            track.program = program
            return track
        }
        fanOut.inputOpened(tracks: [track(0, 10), track(1, 20), track(0, 20)], timestampModulus: nil)
        fanOut.inputReceived(
            PacketInfo(trackIndex: 0, presentationTimestamp: 1, decodeTimestamp: 1),
            payload: RawSpan()
        )
        fanOut.inputOpened(tracks: [track(0, 10)], timestampModulus: nil)
        fanOut.inputReceived(
            PacketInfo(trackIndex: 0, presentationTimestamp: 2, decodeTimestamp: 2),
            payload: RawSpan()
        )
        fanOut.inputLost(reason: "cut")
        #expect(recorders[10]?.record.openings.count == 1)
        #expect(recorders[10]?.record.packets.map(\.presentationTimestamp) == [1, 2])
        #expect(recorders[20]?.record.packets.map(\.presentationTimestamp) == [1], "a track that both have")
        #expect(recorders[10]?.record.losses == ["cut"])
        #expect(recorders[20]?.record.losses == ["program 20 is no longer in the feed", "cut"])
    }
}

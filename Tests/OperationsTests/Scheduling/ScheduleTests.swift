import Foundation
import MediaCore
import Testing

@testable import Operations

/// The schedules of two members of a pair that tell each other of theirs.
@Suite struct ScheduleTests {
    private static let now = MediaTime(seconds: 1_795_262_400)

    private static func cue(_ text: String, from start: Int64 = 10, to end: Int64 = 12) -> ScheduleAction.Content {
        let (start, end) = (now + MediaTime(seconds: start), now + MediaTime(seconds: end))
        return .cues(language: "en", [ScheduledCue(start: start, end: end, payload: text)])
    }

    private static func action(_ content: ScheduleAction.Content, after seconds: Int64 = 0) -> ScheduleAction {
        let accepted = now + MediaTime(seconds: seconds)
        return ScheduleAction(content, accepted: accepted, effective: accepted + MediaTime(seconds: 3))
    }

    @Test func whateverTheOrderBothHaveTheSame() {
        let actions = (0..<6).map { Self.action(Self.cue("\($0)"), after: Int64($0 % 3)) }
        var (one, other) = (Schedule(), Schedule())
        _ = one.merge(Array(actions[0..<4]), at: Self.now)
        _ = other.merge([actions[5], actions[1], actions[4]], at: Self.now)
        #expect(one.digest != other.digest)
        let news = one.merge(other.actions, at: Self.now)
        #expect(news == [actions[4], actions[5]].sorted())
        _ = other.merge(one.actions, at: Self.now)
        #expect(one.digest == other.digest && one.actions == other.actions && one.actions == actions.sorted())
        #expect(one.merge(other.actions, at: Self.now).isEmpty)
    }

    @Test func whatIsOverGoesAndDoesNotComeBack() {
        var schedule = Schedule()
        let action = Self.action(Self.cue("once"))
        #expect(schedule.merge([action], at: Self.now) == [action])
        let later = Self.now + MediaTime(seconds: 12 + 120)
        schedule.expire(at: later - MediaTime(ticks: 1))
        #expect(schedule.actions == [action])
        schedule.expire(at: later)
        #expect(schedule.actions.isEmpty && schedule.digest.isEmpty)
        #expect(schedule.merge([action], at: later).isEmpty)
    }

    @Test func thereIsRoomForSoManyAndSoMuch() {
        var schedule = Schedule()
        _ = schedule.merge((0..<Schedule.most - 1).map { Self.action(Self.cue("\($0)")) }, at: Self.now)
        #expect(schedule.hasRoom(for: Self.cue("one more")))
        _ = schedule.merge([Self.action(Self.cue("one more"))], at: Self.now)
        #expect(!schedule.hasRoom(for: Self.cue("and another")))
        var long = Schedule()
        _ = long.merge([Self.action(Self.cue(String(repeating: "x", count: Schedule.mostBytes - 100)))], at: Self.now)
        #expect(!long.hasRoom(for: Self.cue("and another")))
    }

    @Test func anActionIsReadAsItWasWritten() throws {
        let action = Self.action(Self.cue("<b>\n\"ünï\u{2028}"))
        let json = try JSONEncoder.canonical.encode(action)
        #expect(try JSONDecoder().decode(ScheduleAction.self, from: json) == action)
    }

    @Test(arguments: [
        "{}", "[]", #"{"accepted":1,"effective":2}"#, #"{"accepted":-1,"effective":2,"language":"en","cues":[]}"#,
        #"{"accepted":1,"effective":9223372036854775807,"language":"en","cues":[]}"#,
        #"{"accepted":1,"effective":2,"language":"en","cues":[{"start":5,"end":5,"payload":""}]}"#,
        #"{"accepted":1,"effective":2,"language":"en","cues":[{"start":5,"end":36028797018963968,"payload":""}]}"#,
    ])
    func whatIsNoActionIsRefused(json: String) {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(ScheduleAction.self, from: Data(json.utf8)) }
    }
}

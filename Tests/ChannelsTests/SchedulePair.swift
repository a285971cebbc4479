import MediaCore
import Operations
import Playlists
import Presentation
import SegmentingSupport
import Testing
import Timeline

@testable import Channels
@testable import Segmenting

/// Two members on one feed that ask each other once a second what they have accepted; times are milliseconds from the
/// epoch on, slots take four seconds.
final class SchedulePair {
    static let lead = MediaTime(seconds: 3)

    private let make: () -> ChannelFixture
    private let feed = ChannelFeed(base: Epoch.time.ticks % ChannelFeed.modulus)
    private(set) var members: [ChannelFixture]
    private var inputs: [ChannelInput] = []
    private var time: Int64 = 0

    /// - Parameter make: Makes a member.
    init(_ make: @escaping () -> ChannelFixture) {
        self.make = make
        members = [make(), make()]
        for member in members { inputs.append(start(member)) }
    }

    private func start(_ member: ChannelFixture) -> ChannelInput {
        let input = member.channel.makeInput(.input(0), pace: .live)
        feed.open(input)
        return input
    }

    /// Sends until then, the second member a moment after the first.
    func send(until end: Int64) {
        while time < end {
            let next = min(end, (time / 1_000 + 1) * 1_000)
            for (member, input) in zip(members, inputs) { feed.sendLive(time..<next, at: time, to: input, of: member) }
            time = next
            for member in members { member.clock.set(Epoch.at(time)) }
            if time.isMultiple(of: 1_000) { exchange() }
        }
    }

    private func exchange() {
        members[0].channel.merge(members[1].channel.schedule.actions)
        members[1].channel.merge(members[0].channel.schedule.actions)
    }

    func accept(_ content: ScheduleAction.Content, by member: Int) -> [ScheduleOutcome] {
        let channel = members[member].channel
        return channel.accept([content], at: members[member].clock.now).flatMap(\.self)
    }

    func earliest(of member: Int) -> MediaTime { members[member].channel.earliest(at: members[member].clock.now) }

    /// A member is killed and comes back at once, with what its journal has and what it had accepted.
    func restart(_ member: Int) throws {
        let (old, new) = (members[member], make())
        new.clock.set(old.clock.now)
        #expect(new.channel.restore(old.left) > 0)
        new.channel.recall(old.channel.schedule.actions)
        inputs[member] = start(new)
        members[member] = new
    }

    /// Every playlist and every segment.
    ///
    /// - Parameters:
    ///   - rendition: The only one that is looked at; nil for all.
    ///   - comment: What it is about.
    /// - Throws: An error if one of them is not there.
    func expectSame(_ rendition: RenditionID? = nil, _ comment: Comment? = nil) throws {
        let saved = members[0].presentation.saved
        let names = rendition.map { [$0.name] } ?? saved.renditions.map(\.id.name)
        let playlists = names.map { "\($0).m3u8" }
        #expect(!playlists.isEmpty)
        for playlist in playlists {
            let text = try #require(members[0].text(playlist))
            #expect(members[1].text(playlist) == text, comment)
        }
        for path in saved.files.map(\.path) where names.contains(where: { path.hasPrefix("\($0)/") }) {
            let bytes = try #require(members[0].bytes(path))
            #expect(members[1].bytes(path) == bytes, "\(path)")
        }
    }
}

import Channels
import Foundation
import Logging
import MediaCore
import NIOCore
import Operations
import Origin
import PackagerConfig
import Playlists
import Presentation
import Recording
import TestSupport
import Testing

@testable import Hosting

/// A channel that is recorded, of which a test publishes the slots: one second each.
struct RecordedStage {
    static let rendition: RenditionID = "video-180p"
    let directory: TemporaryDirectory
    let clock = MovableClock()
    let events = EventLog()
    let assembly: ChannelAssembly

    init() throws {
        directory = try TemporaryDirectory()
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        assembly = ChannelAssembly(clock: clock, events: events, logger: logger)
    }

    var record: String { directory.file("recordings") }
    var state: String { directory.file("state") }

    /// Makes settings of the channel, with a window of 20 s.
    func settings(hasState: Bool = true, _ flags: [String: [String]] = [:]) throws -> ChannelConfiguration {
        var usual = ["record": [record], "window": ["20"]]
        if hasState { usual["state"] = [state] }
        return try Stage.channel("a", usual.merging(flags) { $1 })
    }

    /// Puts the channel together, in the place of another one.
    func hosted(
        _ settings: ChannelConfiguration,
        after predecessor: ChannelPredecessor? = nil
    ) async throws
        -> HostedChannel
    {
        try await assembly.assemble([settings], after: predecessor.map { ["a": $0] } ?? [:])[0]
    }

    /// Publishes slots that end as time goes by, and returns once they are written.
    func publish(_ count: Int, isGap: Bool = false, in channel: HostedChannel) throws {
        let presentation = channel.service.channel.presentation
        presentation.declare(
            renditions: [RenditionDescription(id: Self.rendition, kind: .video, codecs: ["avc1.640028"])]
        )
        for _ in 0..<count {
            let start = clock.now
            clock.advance(by: 1)
            let number = start.milliseconds / 1000
            let segment = PublishedSegment(
                programDateTime: start,
                duration: SegmentDuration(value: 90_000, timescale: 90_000),
                content: isGap ? .gap : .media(ByteBuffer(string: Self.text(number))),
                initialization: .init(name: "init-0a.mp4", bytes: ByteBuffer(string: "initialization"))
            )
            let slot = PublishedSlot(number: MediaSequenceNumber(number), segments: [Self.rendition: segment])
            try presentation.publish(slot, now: clock.now)
            // One that follows has room for some slots alone.
            presentation.finish()
        }
    }

    static func text(_ number: Int64) -> String { "segment \(number)" }

    /// The files with segments of the state directory.
    var segmentsOfJournal: [String] {
        let paths = FileManager.default.enumerator(atPath: state)?.compactMap { $0 as? String } ?? []
        return paths.filter { $0.hasSuffix(".m4s") }
    }

    /// The text of a segment, from memory or from where it is kept.
    func body(_ number: Int64, of channel: HostedChannel) throws -> String? {
        let presentation = channel.origin.presentation
        guard case .found(let resource) = presentation.resource("\(Self.rendition)/\(number).m4s", now: clock.now)
        else {
            return nil
        }
        return String(buffer: try resource.body.read())
    }

    /// Looks at each slot since a time in a recording that is open.
    func expectRecorded(
        since start: MediaTime,
        in channel: HostedChannel,
        at location: SourceLocation = #_sourceLocation
    )
        throws
    {
        let recording = try #require(channel.service.recorder?.recording, sourceLocation: location)
        for number in start.milliseconds / 1000..<clock.now.milliseconds / 1000 {
            let body = try recording.body("\(Self.rendition)/\(number).m4s")
            let text = String(buffer: try body?.read() ?? ByteBuffer())
            #expect(text == Self.text(number), "\(number)", sourceLocation: location)
        }
    }
}

package import MediaCore
import Synchronization

/// Delivers the programs of one feed to a consumer each, as if each had the feed for itself.
///
/// It needs ``ProgramChoice/numbers(_:)`` of the same programs. A track that several programs share is delivered to
/// each of their consumers.
package final class ProgramFanOut: InputConsumer {
    /// The programs for the reader.
    package let choice: ProgramChoice
    private let state: Mutex<State>

    private struct State {
        /// The consumer of each program.
        var consumers: [Int: any InputConsumer]
        var modulus: Int64?
        /// The tracks of each program that has appeared.
        var tracks: [Int: [InputTrack]] = [:]
        /// Programs by the index of a track.
        var programs: [InputTrackIndex: [Int]] = [:]
    }

    /// - Parameter consumers: The consumers by program number.
    package init(consumers: [Int: any InputConsumer]) {
        choice = .numbers(Set(consumers.keys))
        state = Mutex(State(consumers: consumers))
    }

    /// Ends delivery to the consumer of a program, apart from events under way.
    ///
    /// - Returns: True if there are others.
    package func leave(_ program: Int) -> Bool {
        state.withLock { state in
            state.consumers[program] = nil
            return !state.consumers.isEmpty
        }
    }

    private var consumers: [Int: any InputConsumer] { state.withLock { $0.consumers } }

    /// The consumers of those programs that have a track.
    private func consumers(of track: InputTrackIndex) -> [any InputConsumer] {
        state.withLock { state in (state.programs[track] ?? []).compactMap { state.consumers[$0] } }
    }

    package func inputOpened(tracks: [InputTrack], timestampModulus: Int64?) {
        let now = Dictionary(grouping: tracks) { $0.program ?? 0 }
        let before = state.withLock { state in
            defer {
                state.modulus = timestampModulus
                state.tracks = now
                state.programs = [:]
                for track in tracks { state.programs[track.index, default: []].append(track.program ?? 0) }
            }
            return (tracks: state.tracks, modulus: state.modulus)
        }
        for (program, consumer) in consumers.sorted(by: { $0.key < $1.key }) {
            if let tracks = now[program] {
                guard tracks != before.tracks[program] || timestampModulus != before.modulus else { continue }
                consumer.inputOpened(tracks: tracks, timestampModulus: timestampModulus)
            } else if before.tracks[program] != nil {
                consumer.inputLost(reason: "program \(program) is no longer in the feed")
            }
        }
    }

    package func inputReceived(_ packet: PacketInfo, payload: RawSpan) {
        for consumer in consumers(of: packet.trackIndex) { consumer.inputReceived(packet, payload: payload) }
    }

    package func inputReceivedMetadata(_ packet: PacketInfo, program: Int?, payload: RawSpan) {
        guard let program else { return }
        consumers[program]?.inputReceivedMetadata(packet, program: program, payload: payload)
    }

    package func inputReceivedSplice(_ section: RawSpan, program: Int?, shift: Int64) {
        for (number, consumer) in consumers where program == nil || program == number {
            consumer.inputReceivedSplice(section, program: program, shift: shift)
        }
    }

    package func inputLost(reason: String) {
        state.withLock { ($0.tracks, $0.programs) = ([:], [:]) }
        for consumer in consumers.values { consumer.inputLost(reason: reason) }
    }

    package func inputEnded() {
        for consumer in consumers.values { consumer.inputEnded() }
    }

    package func inputNoticed(_ notice: InputNotice) {
        switch notice {
        case .programs(let carried, let read):
            for (program, consumer) in consumers.sorted(by: { $0.key < $1.key }) {
                consumer.inputNoticed(.programs(carried: carried, read: read.filter { $0 == program }))
            }
        case .metadata(let program):
            if let program { consumers[program]?.inputNoticed(notice) }
        case .unregisteredSplices(let program, _):
            consumers[program]?.inputNoticed(notice)
        case .notExamined(track: nil, _), .unreadableSplice, .textNotRead, .publisherRefused, .publisherCutOff,
            .publishersCrowded, .datagramsLost, .senderChanged, .severalSenders, .library:
            for consumer in consumers.values { consumer.inputNoticed(notice) }
        case .notTranscoded(let track, _), .undecodableFrame(let track), .notExamined(let track?, _),
            .teletextUnreadable(let track, _, _), .teletextReadable(let track, _, _):
            for consumer in consumers(of: track) { consumer.inputNoticed(notice) }
        }
    }

    package func inputExamined(_ finding: ContentFinding) {
        for consumer in consumers(of: finding.trackIndex) { consumer.inputExamined(finding) }
    }
}

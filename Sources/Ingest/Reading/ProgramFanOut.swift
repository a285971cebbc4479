package import MediaCore
import Synchronization

/// Hands the programs of one feed to a consumer each, as if each had the feed for itself.
///
/// It goes with ``ProgramChoice/numbers(_:)`` of the same programs. A track that several programs share is handed to
/// each of their consumers.
package final class ProgramFanOut: InputConsumer {
    private let consumers: [Int: any InputConsumer]
    private let state = Mutex(State())

    private struct State {
        var modulus: Int64?
        /// By program, as far as they are there.
        var tracks: [Int: [InputTrack]] = [:]
        /// Programs by the index of a track.
        var programs: [Int: [Int]] = [:]
    }

    /// - Parameter consumers: By program number.
    package init(consumers: [Int: any InputConsumer]) {
        self.consumers = consumers
    }

    /// What the reader is to be asked for.
    package var choice: ProgramChoice { .numbers(Set(consumers.keys)) }

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
        let programs = state.withLock { $0.programs[packet.trackIndex] } ?? []
        for program in programs { consumers[program]?.inputReceived(packet, payload: payload) }
    }

    package func inputReceivedMetadata(_ packet: PacketInfo, program: Int?, payload: RawSpan) {
        guard let program else { return }
        consumers[program]?.inputReceivedMetadata(packet, program: program, payload: payload)
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
        case .notExamined(track: nil, _):
            for consumer in consumers.values { consumer.inputNoticed(notice) }
        case .notTranscoded(let track, _), .undecodableFrame(let track), .notExamined(let track?, _):
            let programs = state.withLock { $0.programs[track] } ?? []
            for program in programs { consumers[program]?.inputNoticed(notice) }
        }
    }

    package func inputExamined(_ finding: ContentFinding) {
        let programs = state.withLock { $0.programs[finding.trackIndex] } ?? []
        for program in programs { consumers[program]?.inputExamined(finding) }
    }
}

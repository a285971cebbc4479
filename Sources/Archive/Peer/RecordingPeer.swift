package import Fetching
package import MediaCore
package import NIOCore

/// The other member of a pair, as the source of recorded slots and media.
package protocol RecordingPeer: Sendable {
    /// Requests recorded slots, as JSON.
    ///
    /// - Parameter numbers: The slots; none to learn the extent.
    /// - Returns: The answer, which may be anything.
    func slots(in numbers: Range<MediaSequenceNumber>) async -> PeerRecordingAnswer

    /// Asks for a recorded segment or initialization section.
    ///
    /// - Parameter path: Its path below the channel's name.
    /// - Returns: The answer, which may be anything.
    func media(_ path: String) async -> PeerRecordingAnswer
}

/// An answer of the other member of a pair about its recording.
package enum PeerRecordingAnswer: Hashable, Sendable {
    case body(ByteBuffer)
    /// A refusal of this request, with a reason in one phrase; other requests may succeed.
    case nothing(String)
    /// No answer to any request, with a reason in one phrase.
    case silence(String)
}

extension PeerRecordingAnswer {
    /// Makes the answer of a peer from an error.
    package init(_ error: FetchError) {
        switch error {
        case .status(let status) where (400..<500).contains(status) && status != 429:
            self = .nothing("it answers with status \(status)")
        case .tooLarge: self = .nothing("\(error)")
        default: self = .silence("\(error)")
        }
    }
}

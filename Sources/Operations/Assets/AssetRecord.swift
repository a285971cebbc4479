package import MediaCore

/// A finished asset, or one that is to be, as operators see it.
package struct AssetRecord: Hashable, Sendable, Codable {
    /// The name in its URL, which cannot be guessed: it is never given again.
    package var id: String
    package var request: AssetRequest
    package var state: State
    /// The reason why it could not be made.
    package var problem: String?
    package var posted: Timestamp
    /// UTC of its first and last media; nil before it is made.
    package var start: Timestamp?
    package var end: Timestamp?
    /// The length in seconds; nil before it is made.
    package var duration: Double?
    /// Bytes of its files.
    package var byteCount: Int?
    /// The time of its removal; nil for never.
    package var expires: Timestamp?
    /// The path for players, below the origin; nil before it is made.
    package var path: String?
    /// The IDs of its own keys by class of tracks, in hexadecimal digits; nil if it has those of the channel.
    package var keyIDs: [String: String]?
    /// The destinations of `push` that get it, which are reported and not stored; nil if there are none.
    package var pushed: [Destination]?

    package enum State: String, Hashable, Sendable, Codable {
        /// The end has not been recorded yet, or other assets are made first.
        case waiting
        case ready
        case failed
    }

    /// The state of an asset at a destination.
    package struct Destination: Hashable, Sendable, Codable {
        /// The URL of the destination, without secrets.
        package var url: String
        package var state = State.pending
        /// The number of objects; nil before the sending begins.
        package var objects: Int?
        package var stored: Int?
        /// The reason why it is not there, or not yet.
        package var problem: String?

        package enum State: String, Hashable, Sendable, Codable {
            case pending, running, done, failed
        }

        package init(url: String) { self.url = url }
    }

    private enum CodingKeys: String, CodingKey {
        case id, request, state, problem, posted, start, end, duration, expires, path, pushed
        case byteCount = "bytes"
        case keyIDs = "key-ids"
    }

    package init(id: String, request: AssetRequest, posted: MediaTime) {
        (self.id, self.request, self.posted) = (id, request, Timestamp(posted))
        state = .waiting
    }
}

/// The reason why an asset is refused, in words for the client.
package enum AssetRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// The channel records nothing.
    case notRecorded
    case unreadable(String)
    /// The request names neither a time nor a programme.
    case incomplete
    case backwards
    case tooLong(hours: Int)
    /// The time is not recorded, and will not be.
    case outside(recorded: String)
    case tooFar(hours: Int)
    case tooMany(Int)
    case tooManyWaiting(Int)
    case unknown(String)
    /// The request cannot be written down.
    case unkept(String)
    /// The request is for new keys, and the channel is not encrypted.
    case notEncrypted
    /// New keys would derive from a secret that ends with the process.
    case secretNotKept
    /// The channel's keys come from a document, which has none for recordings; the value is its kind.
    case keysOfDocument(String)

    package var description: String {
        switch self {
        case .notRecorded: "the channel records nothing: set record"
        case .unreadable(let reason): reason
        case .incomplete: "give \"from\" and \"to\", or \"programme\""
        case .backwards: "\"to\" must be later than \"from\""
        case .tooLong(let hours): "a recording lasts \(hours) h at most"
        case .outside(let recorded): "nothing of that time is recorded; the channel has \(recorded)"
        case .tooFar(let hours): "\"to\" may lie \(hours) h ahead at most"
        case .tooMany(let count): "there are \(count) recordings, which is the limit: remove some"
        case .tooManyWaiting(let count): "\(count) recordings wait to be made, which is the limit: try again later"
        case .unknown(let id): "there is no recording \"\(id)\""
        case .unkept(let reason): "the request cannot be kept: \(reason)"
        case .notEncrypted: "the channel is not encrypted, so there are no keys to replace: set encryption"
        case .secretNotKept:
            "new keys derive from the master secret of the channel, which is lost when the process ends: set key-secret or state"
        case .keysOfDocument(let kind):
            "the keys of the channel come from a document (key-source \(kind)), which has none for a recording: set "
                + "key-source to derived or speke:https://HOST/PATH, or keep the keys"
        }
    }
}

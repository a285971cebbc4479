import ContentProtection
import Logging
import MediaCore

/// The record of a request for keys: the client, the key and the result.
struct KeyRecord: Sendable {
    private let channel: String
    private let system: String
    var keyIDs: [KeyID] = []
    var classes: [KeyClass] = []
    /// The refusal of the first of several requests, all of which were refused.
    var refusal: KeyRefusal?
    /// The subject that the token was issued to.
    var subject: String?

    /// The most IDs in a list, more than a playlist names at a time.
    private static let longestList = 16
    static let longestSubject = 128

    init(_ request: KeyRequest) {
        channel = request.channel
        system =
            switch request.subject {
            case .key: "identity"
            case .clearKey: "clear-key"
            case .fairPlay: "fairplay"
            }
    }

    func metadata(status: Int, refusal: KeyRefusal?) -> Logger.Metadata {
        var metadata: Logger.Metadata = [
            "channel": "\(channel.prefix(Self.longestSubject))", "system": "\(system)",
            "status": .stringConvertible(status),
        ]
        if !keyIDs.isEmpty {
            metadata["keys"] = "\(keyIDs.prefix(Self.longestList).map(\.description).joined(separator: ","))"
        }
        if !classes.isEmpty { metadata["classes"] = "\(Set(classes.map(\.rawValue)).sorted().joined(separator: ","))" }
        if let subject { metadata["subject"] = "\(Self.printable(subject))" }
        if let refusal { metadata["refusal"] = "\(refusal.code)" }
        if let detail = refusal?.detail { metadata["detail"] = "\(detail)" }
        return metadata
    }

    /// Writes a subject as a line may have it: it is signed, but others may have chosen it, and it must not forge or
    /// break a line.
    static func printable(_ subject: String) -> String {
        String(
            subject.unicodeScalars.prefix(longestSubject).map { scalar in
                (0x21...0x7E).contains(scalar.value) && scalar != "\"" ? Character(scalar) : "?"
            }
        )
    }
}

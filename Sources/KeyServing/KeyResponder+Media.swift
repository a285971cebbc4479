import Logging
import MediaCore

/// The result of a request for a pass to playlists and media.
package enum MediaAdmission: Sendable {
    case admitted(PlaybackToken)
    case refused(KeyAnswer)
}

/// The reason why a pass that a viewer has shown is good for nothing.
package enum PassFault: Hashable, Sendable {
    case expired, invalid
}

/// The admission to playlists and media, as to keys: by the same tokens, at the same rate, with the same refusals.
extension KeyResponder {
    /// Lets a viewer in to the playlists and media of a channel, or says why not.
    ///
    /// - Parameters:
    ///   - channel: The channel's name.
    ///   - text: The viewer's token; nil if there is none.
    ///   - fault: The fault of the viewer's pass; nil if there is none.
    ///   - address: Tells the viewer's address from others.
    /// - Returns: The token, or the answer.
    package func admitToMedia(
        of channel: String,
        token text: String?,
        fault: PassFault?,
        address: Int
    ) -> MediaAdmission {
        var subject: String?
        var metadata: Logger.Metadata {
            var metadata: Logger.Metadata = ["channel": "\(channel.prefix(KeyRecord.longestSubject))"]
            if let subject { metadata["subject"] = "\(KeyRecord.printable(subject))" }
            return metadata
        }
        do throws(KeyRefusal) {
            if text == nil, let fault {
                try count(address)
                throw fault == .expired ? .passExpired : .passInvalid
            }
            // There are passes only where there are tokens.
            guard let token = try admit(text, channel: channel, address: address, &subject) else { throw .failed }
            counters.answered(nil)
            logger.info("media request", metadata: metadata)
            return .admitted(token)
        } catch {
            counters.answered(error)
            logger.info("media request", metadata: metadata.merging(["refusal": "\(error.code)"]) { $1 })
            return .refused(KeyAnswer(error))
        }
    }
}

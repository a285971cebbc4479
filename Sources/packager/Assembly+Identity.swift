import Archive
import ContentProtection
import Foundation
import MediaCore
import NIOCore
import PackagerConfig
import Presentation

/// What packagers, and runs of one, must have in common.
extension Assembly {
    /// What the numbers, names and keys of a channel's segments depend on; where it changes, a new window begins.
    ///
    /// By the names that an operator knows, and without secrets.
    func streamIdentity(
        of settings: ChannelConfiguration,
        _ keySchedule: KeySchedule?
    ) throws(SetupError) -> [String: String] {
        var identity = [
            "name": settings.name,
            "format": settings.format.rawValue,
            "segment-duration": "\(settings.segmentDuration.seconds)",
            "encryption": settings.encryption.rawValue,
        ]
        if !settings.audio.isEmpty {
            identity["audio"] = settings.audio.map { "\($0.language ?? "-") \($0.name ?? "-")" }.joined(separator: ", ")
        }
        if let program = settings.program { identity["program"] = "\(program)" }
        if settings.audioTranscoding != .automatic { identity["audio-transcode"] = settings.audioTranscoding.rawValue }
        if settings.encryptsInitialization { identity["encrypt-init"] = "true" }
        guard let keySchedule else { return identity }
        identity["key-rotation"] = "\(settings.keyRotation.seconds)"
        do {
            // Twins derive the same keys: an identifier of one, which is public, tells whether their secrets are equal.
            let key = try keySchedule.keys(for: keySchedule.period(of: MediaSequenceNumber(0)), .video)
            identity["key-secret"] = "one that gives key \(key.keyID)"
        } catch {
            throw SetupError("keys of channel \(settings.name): \(error)")
        }
        return identity
    }

    /// What the members of a pair show each other; nil where nothing is encrypted, and they have no secret in common.
    func peerToken(of settings: ChannelConfiguration, _ keySchedule: KeySchedule?) throws(SetupError) -> PeerToken? {
        do {
            return try keySchedule?.peerToken()
        } catch {
            throw SetupError("keys of channel \(settings.name): \(error)")
        }
    }

    /// What a peer with another secret is told.
    func refusal(of settings: ChannelConfiguration) -> ByteBuffer {
        let json = try? TwinRefusal(encryption: settings.encryption.rawValue).json()
        return json.map { ByteBuffer(bytes: $0) } ?? ByteBuffer()
    }

    /// Settings that change only what is said of the stream, how much of it is kept, or what becomes of a loss: in these
    /// two members of a pair may differ for a while, so that one after the other can be given new ones.
    static let rollingSettings: Set<String> = [
        "window", "backup", "failback", "on-loss", "slate", "frozen-after", "silent-after", "captions",
        "audio attributes",
    ]

    /// All that two packagers have to have in common to publish the same.
    func pairIdentity(of settings: ChannelConfiguration, stream: [String: String]) -> [String: String] {
        var identity = [
            "window": "\(settings.window.seconds)",
            "clock": settings.clock.rawValue,
            "timecode-offset": "\(settings.timecodeOffset.seconds)",
            "input": "\(settings.inputs.count) feeds",
            "backup": "\(settings.backups.count) feeds",
            "failback": "\(settings.failback.seconds)",
            "on-loss": settings.onLoss.rawValue,
            "frozen-after": "\(settings.frozenAfter.seconds)",
            "silent-after": "\(settings.silentAfter.seconds)",
        ]
        // Versions that encrypted all segments of a period alike do not say this.
        if settings.encryption == .aes128 { identity["initialization vectors"] = "media sequence numbers" }
        if !settings.bandwidths.isEmpty {
            let bandwidths = settings.bandwidths.map { "\($0.rendition)=\($0.peak)/\($0.average)" }
            identity["bandwidth"] = bandwidths.sorted().joined(separator: ", ")
        }
        if settings.onLoss == .slate, let slate = FileManager.default.contents(atPath: settings.slate) {
            identity["slate"] = "one of content \(ContentHash(of: ByteBuffer(bytes: slate)).entityTag)"
        }
        if !settings.captions.isEmpty {
            identity["captions"] = settings.captions.map(\.identity).joined(separator: ", ")
        }
        if settings.audio.contains(where: { $0.attributes != AudioAttributes().attributes }) {
            identity["audio attributes"] = settings.audio.map(\.attributes).joined(separator: ", ")
        }
        return identity.merging(stream) { _, stream in stream }
    }
}

extension ChannelConfiguration.CaptionDescription {
    fileprivate var identity: String {
        "\(channel) \(language ?? "-") \(name ?? "-")\(isDefault ? " default" : "")"
    }
}

extension AudioAttributes {
    /// What is said of the track besides language and name.
    fileprivate var attributes: String {
        let isDefault = isDefault.map { $0 ? "default" : "not default" }
        let words = [characteristics?.joined(separator: " "), isDefault, isAutoselect ? nil : "not autoselect"]
        let said = words.compactMap(\.self).joined(separator: " ")
        return said.isEmpty ? "-" : said
    }
}

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
        if settings.audioTranscode != .automatic { identity["audio-transcode"] = settings.audioTranscode.rawValue }
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
        if !settings.bandwidths.isEmpty {
            let bandwidths = settings.bandwidths.map { "\($0.rendition)=\($0.peak)/\($0.average)" }
            identity["bandwidth"] = bandwidths.sorted().joined(separator: ", ")
        }
        if settings.onLoss == .slate, let slate = FileManager.default.contents(atPath: settings.slate) {
            identity["slate"] = "one of content \(ContentHash(of: ByteBuffer(bytes: slate)).entityTag)"
        }
        return identity.merging(stream) { _, stream in stream }
    }
}

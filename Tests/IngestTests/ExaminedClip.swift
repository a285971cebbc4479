import Foundation
import MediaCore
import TestSupport
import Timeline

@testable import Ingest

/// A feed that ffmpeg has encoded, examined as fast as it can be, as if it came in real time.
struct ExaminedClip {
    /// The times when the input was called frozen and silent, in seconds since the first packet was presented.
    private(set) var firstFrozen: Double?
    private(set) var firstSilent: Double?

    /// - Parameters:
    ///   - recipe: How it is made.
    ///   - limit: From how much of it on a frozen picture, and silence, are faults.
    /// - Throws: What ffmpeg finds wrong with the recipe.
    init(_ recipe: FeedRecipe, limit: MediaTime) async throws {
        let record = await read(try await FeedStore.shared.file(recipe))
        var health = InputHealth(checks: InputHealth.Checks(frozen: limit, silence: limit))
        let opening = MediaTime(seconds: 1_795_000_000)
        health.opened(at: opening)
        var examiners: [InputTrackIndex: any TrackExaminer] = [:]
        for track in record.openings.last ?? [] {
            examiners[track.index] = track.kind == .video ? try VideoExaminer(track) : try AudioExaminer(track)
        }
        let kinds = Dictionary(uniqueKeysWithValues: (record.openings.last ?? []).map { ($0.index, $0.kind) })
        var now = MediaTime.zero
        let start = record.packets.compactMap(\.presentationTimestamp).min() ?? 0
        for (packet, payload) in zip(record.packets, record.payloads) {
            guard let timestamp = packet.presentationTimestamp, let kind = kinds[packet.trackIndex] else { continue }
            now = max(now, MediaTime(ticks: timestamp - start))
            let received = InputHealth.Packet(
                trackIndex: packet.trackIndex,
                kind: kind,
                byteCount: payload.count,
                isSync: true,
                mediaTime: MediaTime(ticks: timestamp)
            )
            health.received(received, at: opening + now)
            for finding in examiners[packet.trackIndex]?.examine(packet, payload: payload.span.bytes) ?? [] {
                health.examined(finding)
            }
            let report = health.report(at: opening + now)
            if report.isFrozen { firstFrozen = firstFrozen ?? now.seconds }
            if report.isSilent { firstSilent = firstSilent ?? now.seconds }
        }
    }
}

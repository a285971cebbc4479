import Codecs
import ISOBMFF
package import MediaCore
import NIOCore
package import Segmenting
import Synchronization

/// Reads a prepared file once, and makes a `Slate` of it.
package final class SlateRecorder: InputConsumer {
    private let wantsSubsamples: Bool
    private let state = Mutex(State())

    private struct State {
        var readers: [InputTrackIndex: TrackReader] = [:]
        var kinds: [InputTrackIndex: MediaKind] = [:]
        var samples: [InputTrackIndex: [(decode: Int64, presentation: Int64, unit: TrackReader.Unit)]] = [:]
        var bytes = 0
        var problem: String?
    }

    /// The most bytes of a slate, which stays in memory for the channel's life.
    private static let mostBytes = 64 << 20

    /// - Parameter wantsSubsamples: True if samples will be encrypted.
    package init(wantsSubsamples: Bool) {
        self.wantsSubsamples = wantsSubsamples
    }

    package func inputOpened(tracks: [InputTrack], timestampModulus: Int64?) {
        state.withLock { state in
            for track in tracks where !state.kinds.values.contains(track.kind) {
                guard let reader = try? TrackReader(track: track, wantsSubsamples: wantsSubsamples) else { continue }
                state.readers[track.index] = reader
                state.kinds[track.index] = track.kind
            }
        }
    }

    package func inputReceived(_ packet: PacketInfo, payload: RawSpan) {
        state.withLock { state in
            guard let time = packet.decodeTimestamp ?? packet.presentationTimestamp, state.bytes < Self.mostBytes,
                let units = try? state.readers[packet.trackIndex]?.read(packet, payload)
            else { return }
            for unit in units {
                let shown = packet.presentationTimestamp ?? time
                let list = state.samples[packet.trackIndex] ?? []
                // The slate starts with a picture that decoding can start at.
                guard unit.isSync || !list.isEmpty else { continue }
                // The slate is shown from any sync sample on.
                if unit.isSkippedLeading { continue }
                state.bytes += unit.payload.readableBytes
                state.samples[packet.trackIndex, default: []]
                    .append((time + unit.delay.ticks, shown + unit.delay.ticks, unit))
            }
        }
    }

    package func inputLost(reason: String) {
        state.withLock { $0.problem = reason }
    }

    package func inputEnded() {}

    /// Makes the slate of the samples that were read.
    ///
    /// - Returns: The slate, or the error that prevents it.
    package func finish() -> Result<Slate, SlateError> {
        state.withLock { state in
            if let problem = state.problem { return .failure(SlateError(description: problem)) }
            if state.bytes >= Self.mostBytes {
                return .failure(SlateError(description: "it is larger than \(Self.mostBytes >> 20) MiB"))
            }
            var tracks: [MediaKind: Slate.Track] = [:]
            for (index, kind) in state.kinds { tracks[kind] = Self.track(state.samples[index] ?? []) }
            guard tracks[.video] != nil else {
                return .failure(
                    SlateError(description: "it has no video of a supported codec that starts with a key frame")
                )
            }
            return .success(Slate(video: tracks[.video], audio: tracks[.audio]))
        }
    }

    private static func track(_ list: [(decode: Int64, presentation: Int64, unit: TrackReader.Unit)]) -> Slate.Track? {
        guard let first = list.first else { return nil }
        let configuration = first.unit.configuration
        // A track has one configuration: samples after a change are left out.
        let list = list.prefix { configuration.continues($0.unit.configuration) }
        let timescale: Int64
        let usual: Int64
        if let audio = configuration.audio {
            timescale = Int64(audio.sampleRate)
            usual = Int64(audio.samplesPerFrame)
        } else {
            timescale = MediaTime.timescale
            usual = list.count > 1 ? list[1].decode - list[0].decode : MediaTime.timescale / 25
        }
        var reordering: Int64 = 0
        var samples: [FragmentSample] = []
        for (index, entry) in list.enumerated() {
            // As in a live segment, the decode clock equals presentation time at sync samples.
            if entry.unit.isSync { reordering = entry.presentation - entry.decode }
            var duration = entry.unit.audioLength > 0 ? Int64(entry.unit.audioLength) : usual
            if configuration.kind == .video, index + 1 < list.count { duration = list[index + 1].decode - entry.decode }
            samples.append(
                FragmentSample(
                    duration: UInt32(clamping: max(duration, 1)),
                    compositionOffset: configuration.kind == .video
                        ? Int32(clamping: entry.presentation - entry.decode - reordering) : 0,
                    isSync: entry.unit.isSync,
                    payload: entry.unit.payload,
                    subsamples: entry.unit.subsamples
                )
            )
        }
        return Slate.Track(configuration: configuration, timescale: timescale, samples: samples)
    }
}

/// The reason why a file cannot be the slate.
package struct SlateError: Error, CustomStringConvertible, Sendable {
    package var description: String
}

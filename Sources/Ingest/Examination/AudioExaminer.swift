import Codecs
import Foundation
import MediaCore

/// Measures how loud a track is.
final class AudioExaminer: TrackExaminer {
    private let track: InputTrackIndex
    private let syntax: AudioFrameSyntax?
    private var decoder: AudioDecoder
    private var newest: Int64?
    /// Mean square of the loudest frame since then.
    private var loudest: Float = 0
    private var isInterrupted = false

    /// - Throws: An error if there is no decoder for it.
    init(_ track: InputTrack) throws(FFmpegError) {
        self.track = track.index
        // A stream that comes with a header has none in its frames.
        syntax = track.codec == .opus || !track.header.isEmpty ? nil : AudioFrameSyntax(track.codec)
        decoder = try AudioDecoder(track.codec, header: track.header)
    }

    func examine(_ packet: PacketInfo, payload: RawSpan) -> [ContentFinding] {
        var isDecoded = false
        syntax.forEachFrame(of: payload) { bytes, _ in
            guard let audio = try? decoder.decode(bytes) else { return }
            isDecoded = true
            loudest = max(loudest, audio.channels.map(Self.meanSquare).max() ?? 0)
        }
        // Undecodable audio says nothing about silence.
        guard isDecoded, let timestamp = packet.presentationTimestamp ?? packet.decodeTimestamp else { return [] }
        if let newest, (0..<examinationInterval).contains(timestamp - newest) { return [] }
        defer { (newest, loudest) = (timestamp, 0) }
        let level = 10 * log10(Double(loudest))
        let contents: [ContentFinding.Content] = (isInterrupted ? [.unheard] : []) + [.audio(level: level)]
        isInterrupted = false
        return contents.map {
            ContentFinding(trackIndex: track, mediaTime: MediaTime(ticks: timestamp), content: $0)
        }
    }

    func interrupted() {
        decoder.flush()
        isInterrupted = true
    }

    private static func meanSquare(of samples: [Float]) -> Float {
        samples.reduce(0) { $0 + $1 * $1 } / Float(max(1, samples.count))
    }
}

import Codecs
import ContentProtection
import ISOBMFF
import MPEGTS
import MediaCore
import NIOCore
import Segmenting

/// Turns the audio of a segment into frames of an elementary stream: AAC with ADTS headers, other codecs unchanged.
struct ElementaryAudio {
    let kind: ElementaryStream.Kind
    /// The setup that a decoder of the encrypted stream must know; nil if the codec has no encryption here.
    let setup: AudioSetupInformation?
    private let framing: ADTSFraming?

    /// - Returns: Nil for a codec that neither transport streams nor packed audio carry.
    init?(_ configuration: CodecConfiguration) {
        var framing: ADTSFraming?
        switch configuration {
        case .aac(let aac):
            guard let adts = try? ADTSFraming(aac) else { return nil }
            framing = adts
            kind = .aac
        case .ac3: kind = .ac3
        case .eac3: kind = .eac3
        case .mpegAudio: kind = .mpegAudio
        default: return nil
        }
        self.framing = framing
        setup = configuration.audioSetupInformation.flatMap { information in
            AudioSetupInformation.AudioType(information.type).map {
                AudioSetupInformation($0, setupData: information.data)
            }
        }
    }

    /// Makes the access units of a segment.
    ///
    /// - Parameters:
    ///   - cut: The segment, with samples in units of its timescale.
    ///   - cipher: The cipher of frames; nil if they are not encrypted.
    /// - Returns: An access unit for each frame that the stream can hold; others are left out, and not left clear.
    /// - Throws: ``SegmentMuxerError/notCarried`` if the codec cannot be encrypted.
    func accessUnits(of cut: CutSegment, _ cipher: TransportCipher?) throws -> [TransportAccessUnit] {
        if cipher != nil, setup == nil { throw SegmentMuxerError.notCarried }
        var time = cut.decodeTime
        return cut.samples.compactMap { sample in
            let start = MediaTime(time, timescale: cut.timescale)
            time += Int64(sample.duration)
            guard let payload = try? frame(sample.payload, cipher) else { return nil }
            return TransportAccessUnit(
                decodeTime: start.ticks,
                presentationTime: start.ticks,
                duration: MediaTime(time, timescale: cut.timescale).ticks - start.ticks,
                isRandomAccess: true,
                pieces: [payload]
            )
        }
    }

    private func frame(_ bare: ByteBuffer, _ cipher: TransportCipher?) throws -> ByteBuffer {
        guard framing != nil || cipher != nil else { return bare }
        let header = try framing?.header(for: bare) ?? []
        var frame = ByteBuffer()
        frame.reserveCapacity(header.count + bare.readableBytes)
        frame.writeBytes(header)
        frame.writeImmutableBuffer(bare)
        let length = frame.readableBytes
        switch kind {
        case .aac:
            let clear = ADTSFraming.headerLength
            try cipher?.encryptor.encryptAAC(&frame, at: clear, length: length - clear)
        case .ac3: try cipher?.encryptor.encryptAC3(&frame, at: 0, length: length)
        case .eac3: try cipher?.encryptor.encryptEAC3(&frame, at: 0, length: length)
        default: break
        }
        return frame
    }
}

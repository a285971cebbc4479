import MediaCore
import NIOCore

extension KeyFrame {
    /// The bytes for a decoder that knows nothing before, with their codec; nil for a key frame that is no video.
    ///
    /// H.264 and HEVC: parameter sets and NAL units behind start codes (ISO/IEC 14496-10 Annex B); AV1: the sequence header
    /// and the OBUs of the temporal unit.
    var packet: (codec: InputTrack.Codec, bytes: [UInt8])? {
        switch configuration {
        case .avc(let avc):
            (.h264, byteStream(behind: avc.sequenceParameterSets + avc.pictureParameterSets))
        case .hevc(let hevc):
            (
                .hevc,
                byteStream(
                    behind: hevc.videoParameterSets + hevc.sequenceParameterSets + hevc.pictureParameterSets
                )
            )
        case .av1(let av1): (.av1, av1.sequenceHeader + payload.readableBytesView)
        case .aac, .ac3, .eac3, .mpegAudio, .opus, .flac, .alac, .text: nil
        }
    }

    private func byteStream(behind parameterSets: [[UInt8]]) -> [UInt8] {
        let startCode: [UInt8] = [0, 0, 0, 1]
        var bytes: [UInt8] = []
        bytes.reserveCapacity(payload.readableBytes + 1024)
        for parameterSet in parameterSets { bytes += startCode + parameterSet }
        var rest = payload
        while let nalUnit = rest.readLengthPrefixedSlice(as: UInt32.self) {
            bytes += startCode
            bytes += nalUnit.readableBytesView
        }
        return bytes
    }
}

import MediaCore
import NIOCore

/// Composition time to sample (ctts), in `SampleTableBox` (ISO/IEC 14496-12 § 8.6.1.3).
struct CompositionOffsetBox: FullBox {
    static let type: FourCC = "ctts"

    /// Ticks from decode time to presentation time, none of them negative.
    var runs = ValueRuns()

    var fieldsByteCount: Int { runs.byteCount }

    func encodeFields(into span: inout OutputRawSpan) { runs.encode(into: &span) }
}

/// Sync sample (stss), in `SampleTableBox` (ISO/IEC 14496-12 § 8.6.2).
struct SyncSampleBox: FullBox {
    static let type: FourCC = "stss"

    /// Numbers of samples, from 1 on.
    var numbers: [UInt32] = []

    var fieldsByteCount: Int { 4 + 4 * numbers.count }

    func encodeFields(into span: inout OutputRawSpan) {
        span.writeInteger(UInt32(numbers.count))
        for number in numbers { span.writeInteger(number) }
    }
}

/// Edit (edts), in `TrackBox` (ISO/IEC 14496-12 § 8.6.5).
struct EditBox: Box {
    static let type: FourCC = "edts"

    var list: EditListBox

    var contentByteCount: Int { list.byteCount }

    func encodeContent(into span: inout OutputRawSpan) { list.encode(into: &span) }
}

/// Edit list (elst), in `EditBox`, with 64 bits (ISO/IEC 14496-12 § 8.6.6).
struct EditListBox: FullBox {
    static let type: FourCC = "elst"

    var edits: [ProgressiveMovie.Edit]

    var version: UInt8 { 1 }
    var fieldsByteCount: Int { 4 + 20 * edits.count }

    func encodeFields(into span: inout OutputRawSpan) {
        span.writeInteger(UInt32(edits.count))
        for edit in edits {
            span.writeInteger(edit.duration)
            span.writeInteger(edit.mediaTime.map { Int64(clamping: $0) } ?? -1)
            span.writeInteger(UInt32(0x0001_0000))  // media_rate 1
        }
    }
}

/// A box that another file has, byte for byte.
struct CopiedBox: Box {
    static let type: FourCC = "free"

    let type: FourCC
    private let content: ByteBuffer

    /// - Parameter box: The whole box, with a size of 32 bits; nil if it is shorter than its header.
    init?(_ box: ByteBuffer) {
        var content = box
        guard let header = content.readMultipleIntegers(as: (UInt32, UInt32).self) else { return nil }
        type = FourCC(header.1)
        self.content = content
    }

    var contentByteCount: Int { content.readableBytes }

    func encodeContent(into span: inout OutputRawSpan) { span.write(content.readableBytesView) }
}

import MediaCore
package import NIOCore

/// A message for a moment of the presentation, beside its samples: `emsg`, version 1 (ISO/IEC 23009-1 § 5.10.3.3).
package struct EventMessage: Hashable, Sendable, FullBox {
    static let type: FourCC = "emsg"

    /// A URI that names the kind of message.
    package var scheme: String
    /// The time when it is due, in ticks of ``timescale`` since the beginning of the presentation.
    package var presentationTime: UInt64
    /// Ticks a second.
    package var timescale: UInt32
    /// The length of the event, in the same ticks; nil if that is not known.
    package var duration: UInt32?
    /// Tells messages of one scheme apart: players take two with the same one for a repetition.
    package var id: UInt32
    package var message: ByteBuffer

    package init(scheme: String, presentationTime: UInt64, timescale: UInt32, id: UInt32, message: ByteBuffer) {
        self.scheme = scheme
        self.presentationTime = presentationTime
        self.timescale = timescale
        self.id = id
        self.message = message
    }

    var version: UInt8 { 1 }

    /// Scheme and an empty value, each with the zero that ends it.
    var fieldsByteCount: Int { 4 + 8 + 4 + 4 + scheme.utf8.count + 1 + 1 + message.readableBytes }

    func encodeFields(into span: inout OutputRawSpan) {
        span.writeInteger(timescale)
        span.writeInteger(presentationTime)
        span.writeInteger(duration ?? UInt32.max)
        span.writeInteger(id)
        span.write(scheme.utf8)
        span.writeZeros(2)
        span.write(message.readableBytesView)
    }
}

/// Two bytes of captions, as cc_data() has them (CTA-708 § 4.3).
package struct CaptionTriplet: Hashable, Sendable {
    /// cc_type.
    package enum Kind: UInt8, Sendable {
        /// CEA-608: line 21 of either field.
        case field1, field2
        /// CEA-708: bytes of a caption channel packet, or its first two.
        case packetData, packetStart
    }

    package var kind: Kind
    package var first: UInt8
    package var second: UInt8

    package init(_ kind: Kind, _ first: UInt8, _ second: UInt8) {
        self.kind = kind
        self.first = first
        self.second = second
    }
}

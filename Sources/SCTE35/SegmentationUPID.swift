import MediaCore

/// An identifier of content: segmentation_upid (ANSI/SCTE 35 § 10.3.3.1).
package struct SegmentationUPID: Hashable, Sendable {
    /// segmentation_upid_type (Table 22).
    package var type: UInt8
    package var bytes: [UInt8]

    package init(type: UInt8, bytes: [UInt8]) {
        (self.type, self.bytes) = (type, bytes)
    }

    /// The text for people and URLs: characters where its type says so, else hexadecimal digits.
    package var text: String {
        switch type {
        // Ad-ID, ISCI, TID, ADI, ADS information, URI, UUID as text of older senders: characters.
        case 0x02, 0x03, 0x07, 0x09, 0x0E, 0x0F: String(decoding: bytes, as: UTF8.self)
        default: bytes.hex
        }
    }
}

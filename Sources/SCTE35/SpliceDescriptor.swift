/// A descriptor of a splice command (ANSI/SCTE 35 § 10).
package enum SpliceDescriptor: Hashable, Sendable {
    /// The provider of an avail: avail_descriptor (§ 10.3.1).
    case avail(providerID: UInt32)
    /// Tones for equipment that knows nothing else: DTMF_descriptor (§ 10.3.2); the preroll in tenths of a second.
    case tones(preroll: UInt8, characters: [UInt8])
    case segmentation(SegmentationDescriptor)
    /// International Atomic Time of the message: time_descriptor (§ 10.3.4).
    case time(seconds: UInt64, nanoseconds: UInt32, utcOffset: UInt16)
    /// The audio of the programme: audio_descriptor (§ 10.3.5).
    case audio([SpliceAudio])
    /// A private descriptor, or one that the standard reserves.
    case other(tag: UInt8, identifier: UInt32, bytes: [UInt8])

    /// `CUEI`, by which the standard's own are known.
    package static let identifier: UInt32 = 0x4355_4549

    /// splice_descriptor_tag (Table 17).
    package var tag: UInt8 {
        switch self {
        case .avail: 0x00
        case .tones: 0x01
        case .segmentation: 0x02
        case .time: 0x03
        case .audio: 0x04
        case .other(let tag, _, _): tag
        }
    }
}

/// The beginning or end of a segment at a time signal: segmentation_descriptor (ANSI/SCTE 35 § 10.3.3).
package struct SegmentationDescriptor: Hashable, Sendable {
    /// The restrictions on the delivery of the content.
    package struct Restrictions: Hashable, Sendable {
        package var allowsWebDelivery: Bool
        package var hasNoRegionalBlackout: Bool
        package var allowsArchive: Bool
        /// 0 to 2 for groups of devices that are shut out, 3 for none (Table 21).
        package var devices: UInt8
    }

    package struct Component: Hashable, Sendable {
        package var tag: UInt8
        /// Added to the time signal's time, in ticks of 90 kHz.
        package var offset: UInt64
    }

    /// A number of how many.
    package struct Position: Hashable, Sendable {
        package var number: UInt8
        package var expected: UInt8
    }

    package struct Details: Hashable, Sendable {
        package var type: SegmentationType
        /// Ticks of 90 kHz.
        package var duration: UInt64?
        package var upid = SegmentationUPID(type: 0, bytes: [])
        package var segment = Position(number: 0, expected: 0)
        /// Absent in what older encoders send.
        package var subsegment: Position?
        /// The restrictions on delivery; nil if there are none.
        package var restrictions: Restrictions?
        /// The components concerned; nil for the whole programme.
        package var components: [Component]?

        package init(type: SegmentationType, duration: UInt64? = nil) {
            (self.type, self.duration) = (type, duration)
        }
    }

    package var eventID: UInt32
    /// True if the identifier is unique as § 9.9.3 asks; senders that know nothing of the flag leave it false.
    package var isCompliant = false
    /// The segmentation; nil if the message cancels an earlier one of the same event.
    package var details: Details?

    package init(eventID: UInt32, details: Details?) {
        (self.eventID, self.details) = (eventID, details)
    }
}

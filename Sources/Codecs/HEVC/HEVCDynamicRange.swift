import MediaCore

/// The dynamic range of a video, as SEI messages tell it (ISO/IEC 23008-2 Annex D).
struct HEVCDynamicRange: Hashable, Sendable {
    package private(set) var metadata = DynamicRangeMetadata()
    /// preferred_transfer_characteristics: what to take instead of those in the sequence parameter set.
    private(set) var preferredTransfer: UInt8?

    private static let masteringDisplayColourVolume = 137
    private static let contentLightLevel = 144
    private static let alternativeTransferCharacteristics = 147

    init() {}

    /// Reads the messages of a NAL unit; other values stay, and an unreadable message changes nothing.
    ///
    /// - Parameter nalUnit: A prefix SEI NAL unit, header included.
    mutating func messagesReceived(_ nalUnit: RawSpan) {
        var messages = SEIMessages(nalUnit, headerSize: HEVCNALUnitType.headerSize)
        while var message = try? messages.next() {
            switch message.type {
            case Self.masteringDisplayColourVolume:
                if let bytes = try? message.readBytes(24) { metadata.masteringDisplay = bytes }
            case Self.contentLightLevel:
                if let bytes = try? message.readBytes(4) { metadata.contentLight = bytes }
            case Self.alternativeTransferCharacteristics:
                if let bytes = try? message.readBytes(1) { preferredTransfer = bytes[0] }
            case UserData.payloadType:
                if UserData.isHDR10Plus(&message) { metadata.hasHDR10Plus = true }
            default: break
            }
        }
    }

    /// Returns the picture format of a sequence parameter set, with the values of the messages.
    func applied(to picture: PictureFormat) -> PictureFormat {
        var picture = picture
        picture.dynamicRange = metadata
        if let preferredTransfer {
            var colour = picture.colour ?? ColourDescription(primaries: 2, transfer: 2, matrix: 2, isFullRange: false)
            colour.transfer = preferredTransfer
            picture.colour = colour
        }
        return picture
    }
}

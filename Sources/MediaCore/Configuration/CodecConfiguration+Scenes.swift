extension CodecConfiguration {
    /// Returns true if a decoder that was set up with the one continues with the other: they differ in no more than what
    /// an encoder may say anew of each scene.
    package func continues(_ other: CodecConfiguration) -> Bool {
        self == other || withoutSceneMetadata == other.withoutSceneMetadata
    }

    /// The same without the mastering display and the light levels, which the pictures themselves say, too.
    package var withoutSceneMetadata: CodecConfiguration {
        switch self {
        case .hevc(var hevc):
            hevc.picture.dynamicRange.removeSceneMetadata()
            return .hevc(hevc)
        case .av1(var av1):
            av1.picture.dynamicRange.removeSceneMetadata()
            return .av1(av1)
        default:
            return self
        }
    }
}

extension DynamicRangeMetadata {
    fileprivate mutating func removeSceneMetadata() { (masteringDisplay, contentLight) = (nil, nil) }
}

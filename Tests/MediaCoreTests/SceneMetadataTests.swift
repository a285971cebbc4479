import MediaCore
import Testing

/// Metadata that an encoder may say anew of each scene, and another configuration.
@Suite struct SceneMetadataTests {
    private func av1(header: [UInt8] = [1], _ range: DynamicRangeMetadata) -> CodecConfiguration {
        let picture = PictureFormat(width: 64, height: 64, dynamicRange: range)
        return .av1(AV1Configuration(sequenceHeader: header, profile: 0, level: 0, isHighTier: false, picture: picture))
    }

    @Test func lightLevelsAndMasteringDisplayChangeFromSceneToScene() {
        let first = av1(DynamicRangeMetadata(masteringDisplay: [1], contentLight: [0, 2, 0, 1]))
        #expect(first.continues(av1(DynamicRangeMetadata(masteringDisplay: [2], contentLight: [0, 9, 0, 1]))))
        #expect(first.continues(av1(DynamicRangeMetadata())))
    }

    @Test func anotherSequenceHeaderOrDynamicRangeIsAnotherConfiguration() {
        let first = av1(DynamicRangeMetadata(contentLight: [0, 2, 0, 1]))
        #expect(!first.continues(av1(header: [2], DynamicRangeMetadata(contentLight: [0, 2, 0, 1]))))
        #expect(!first.continues(av1(DynamicRangeMetadata(hasHDR10Plus: true))))
    }
}

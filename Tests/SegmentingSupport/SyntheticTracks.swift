package import MediaCore

/// The configurations of tracks of feeds that are made of timestamps alone.
package enum SyntheticTracks {
    package static let video = AVCConfiguration(
        sequenceParameterSets: [[0x67, 0x64, 0, 0x1E]],
        pictureParameterSets: [[0x68]],
        profile: 100,
        compatibility: 0,
        level: 30,
        picture: PictureFormat(width: 640, height: 360)
    )
    package static let audio = AACConfiguration(
        audioSpecificConfig: [0x11, 0x90],
        objectType: 2,
        coreSampleRate: 48_000,
        outputSampleRate: 48_000,
        channels: 2
    )
}

import Ingest
import MediaCore
import Segmenting

/// The thumbnails of one channel.
struct ChannelThumbnails {
    let onAir: ThumbnailSource
    /// The thumbnails of inputs, by the inputs' names.
    let inputs: [String: ThumbnailSource]

    /// - Parameters:
    ///   - maker: Makes the thumbnails.
    ///   - onAir: The key frames on air; nil if no thumbnails are made.
    ///   - inputs: The key frames of the inputs.
    init?(_ maker: ThumbnailMaker, onAir: NewestKeyFrames?, inputs: [InputID: NewestKeyFrames]) {
        guard let onAir else { return nil }
        self.onAir = ThumbnailSource(maker, of: onAir)
        self.inputs = Dictionary(
            uniqueKeysWithValues: inputs.map { ($0.description, ThumbnailSource(maker, of: $1)) }
        )
    }
}

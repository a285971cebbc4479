import Ingest
import Segmenting

/// The thumbnails of one channel.
struct ChannelThumbnails {
    let onAir: ThumbnailSource
    /// By what operators call the input.
    let inputs: [String: ThumbnailSource]
}

/// A track that an input carries, as its container describes it.
package struct InputTrack: Hashable, Sendable {
    /// Its place in the container, the same for every packet of it.
    package var index: Int
    package var kind: TrackKind
    package var codec: Codec
    /// Codec header of the container: `avcC` or Annex B parameter sets, AudioSpecificConfig, or empty.
    package var header: [UInt8]
    /// Language tag (BCP 47) where the container gives one.
    package var language: String?
    /// Frames a second by the container's estimate; for text only.
    package var frameRate: Ratio?

    /// How the bytes of a packet are to be read.
    package enum Codec: Hashable, Sendable {
        case h264
        case aac
        /// Not one that this packager carries; the name is FFmpeg's.
        case unsupported(String)
    }

    package init(
        index: Int,
        kind: TrackKind,
        codec: Codec,
        header: [UInt8] = [],
        language: String? = nil,
        frameRate: Ratio? = nil
    ) {
        self.index = index
        self.kind = kind
        self.codec = codec
        self.header = header
        self.language = language
        self.frameRate = frameRate
    }
}

/// What comes with a packet's bytes.
///
/// Timestamps are in 90 kHz ticks as the input counts them, before any unwrapping.
package struct PacketInfo: Hashable, Sendable {
    /// The ``InputTrack/index`` of its track.
    package var trackIndex: Int
    package var presentationTimestamp: Int64?
    package var decodeTimestamp: Int64?
    /// 90 kHz ticks; 0 where unknown.
    package var duration: Int64
    /// Whether the demuxer saw damage or loss in it.
    package var isCorrupt: Bool
    /// UTC of its presentation by the clock of who made it, where the container says so.
    package var producerReferenceTime: MediaTime?

    package init(
        trackIndex: Int,
        presentationTimestamp: Int64?,
        decodeTimestamp: Int64?,
        duration: Int64 = 0,
        isCorrupt: Bool = false,
        producerReferenceTime: MediaTime? = nil
    ) {
        self.trackIndex = trackIndex
        self.presentationTimestamp = presentationTimestamp
        self.decodeTimestamp = decodeTimestamp
        self.duration = duration
        self.isCorrupt = isCorrupt
        self.producerReferenceTime = producerReferenceTime
    }
}

/// Receives what an input delivers, on the input's own thread and in order.
package protocol InputConsumer: AnyObject, Sendable {
    /// The input is open, for the first time or again; packets of these tracks follow.
    ///
    /// - Parameters:
    ///   - tracks: What the container says it carries.
    ///   - timestampModulus: Where timestamps wrap, in 90 kHz ticks (2^33 in a transport stream); nil if never.
    func inputOpened(tracks: [InputTrack], timestampModulus: Int64?)

    /// One packet; `payload` is only there during the call.
    func inputReceived(_ packet: PacketInfo, payload: RawSpan)

    /// The input broke off and will be tried again.
    func inputLost(reason: String)

    /// A finite feed has come to its end; nothing follows.
    func inputEnded()
}

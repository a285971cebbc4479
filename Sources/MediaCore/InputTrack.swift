/// A track that an input carries, as its container describes it.
package struct InputTrack: Hashable, Sendable {
    /// Its place in the container, the same for every packet of it.
    package var index: Int
    package var kind: TrackKind
    package var codec: Codec
    /// Codec header of the container as libavformat hands it over: `avcC`, `hvcC` or parameter sets behind start codes,
    /// `av1C`, AudioSpecificConfig, OpusHead, STREAMINFO, the `alac` box; or empty.
    package var header: [UInt8]
    /// Language tag (BCP 47) where the container gives one.
    package var language: String?
    /// Frames a second by the container's estimate; for text only.
    package var frameRate: Ratio?
    /// Number of the program that it belongs to, in a transport stream.
    package var program: Int?
    /// Whether the container says that it describes the pictures to who cannot see them.
    package var isAudioDescription = false
    /// Of video, what the container says of Dolby Vision.
    package var dolbyVision: DolbyVisionConfiguration?
    /// Of AAC, the audio object type that a first look found beyond what its frames' headers say: 5 with SBR, 29 with
    /// parametric stereo as well (ISO/IEC 14496-3 § 1.5.1.1); nil where there is neither, or nobody looked.
    package var objectTypeHint: UInt8?
    /// Of audio that was encoded here, the ``index`` of the track that it was decoded from.
    package var transcodedFrom: Int?

    /// How the bytes of a packet are to be read.
    package enum Codec: Hashable, Sendable {
        case h264, hevc, av1
        case aac, ac3, eac3, mp2, mp3, opus, flac, alac
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

    /// Timed metadata came beside the tracks: an ID3 tag.
    ///
    /// - Parameters:
    ///   - packet: Its time; the index is no track's.
    ///   - program: Number of the program that it belongs to.
    ///   - payload: The tag, only there during the call.
    func inputReceivedMetadata(_ packet: PacketInfo, program: Int?, payload: RawSpan)

    /// The input broke off and will be tried again.
    func inputLost(reason: String)

    /// A finite feed has come to its end; nothing follows.
    func inputEnded()

    /// Something about the input that whoever runs the channel may want to know.
    func inputNoticed(_ notice: InputNotice)
}

extension InputConsumer {
    package func inputReceivedMetadata(_ packet: PacketInfo, program: Int?, payload: RawSpan) {}
    package func inputNoticed(_ notice: InputNotice) {}
}

package import MediaCore
package import Playlists
package import Presentation
package import Recording

/// Video and audio in slots of 4 s, recorded as those of the channel `live`: a slot waits until it is written.
package struct RecordedStream {
    package static let video: RenditionID = "video-1080p"
    package static let audio: RenditionID = "audio-en"
    package static let segmentDuration = MediaTime(seconds: 4)
    /// The window that viewers have.
    package static let window = MediaTime(seconds: 24)

    package let recording: Recording
    /// The slots as viewers have them.
    package let presentation: Presentation

    /// Begins to record.
    ///
    /// - Parameter directory: The path of the directory of the recording.
    /// - Throws: `RecordingError` if it cannot be opened.
    package init(_ directory: String) throws {
        recording = try Recording.open(
            directory,
            identity: ["name": "live"],
            segmentDuration: Self.segmentDuration,
            onEvent: { _ in }
        )
        presentation = Presentation(
            configuration: Presentation.Configuration(
                name: "live",
                targetDuration: 6,
                segmentDuration: Self.segmentDuration,
                windowDuration: Self.window,
                maximumBytes: 1 << 30
            ),
            consumers: [Recorder(recording, policy: .precedes(within: .seconds(600)))],
            texts: .inline
        )
        presentation.declare(renditions: [
            RenditionDescription(id: Self.video, kind: .video, codecs: ["avc1.640028"]),
            RenditionDescription(id: Self.audio, kind: .audio, codecs: ["mp4a.40.2"], audioGroup: "audio"),
        ])
    }

    /// Publishes a slot at its end.
    ///
    /// - Parameters:
    ///   - number: The number of the slot.
    ///   - segment: Makes the segment of a rendition.
    /// - Throws: `PublicationError`.
    package func publish(_ number: MediaSequenceNumber, _ segment: (RenditionID) -> PublishedSegment) throws {
        let segments = [Self.video: segment(Self.video), Self.audio: segment(Self.audio)]
        try presentation.publish(PublishedSlot(number: number, segments: segments), now: Self.end(of: number))
    }

    /// Leaves out the slots before one: the stream begins anew with that.
    package func skip(to number: MediaSequenceNumber) throws {
        _ = try presentation.bridge(to: number, now: Self.end(of: number))
    }

    /// Waits until all of it is on the disk.
    package func finish() {
        presentation.finish()
        recording.finish()
    }

    /// Makes the segment of a slot, with the keys of its initialization section.
    package static func segment(
        of number: MediaSequenceNumber,
        _ content: PublishedSegment.Content,
        _ initialization: PublishedSegment.InitializationSection,
        fingerprint: String,
        iFrame: Range<Int>? = nil
    ) -> PublishedSegment {
        PublishedSegment(
            programDateTime: segmentDuration * number.value,
            duration: SegmentDuration(value: 4, timescale: 1),
            content: content,
            initialization: initialization,
            fingerprint: fingerprint,
            keys: initialization.keys,
            iFrame: iFrame
        )
    }

    private static func end(of number: MediaSequenceNumber) -> MediaTime { segmentDuration * number.next.value }
}

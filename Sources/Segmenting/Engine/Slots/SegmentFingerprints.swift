import ISOBMFF
import MediaCore
import Playlists

/// Fingerprints of the decoder configurations of segments; a new text means that players set up their decoders again.
///
/// Journals keep these texts, and peers of other versions read them, so their format must not change.
struct SegmentFingerprints: Sendable {
    /// A text with the values that it was made of, since most segments have the same as those before.
    private struct Known: Sendable {
        var form: SegmentForm
        var configurations: [CodecConfiguration]
        var timescale: Int64
        var text: String
    }

    private var known: [RenditionID: Known] = [:]

    /// - Parameters:
    ///   - segment: The segment; it matters whether it lies in the clear lead.
    ///   - isSampleEncrypted: True if samples are encrypted, and not whole segments.
    /// - Returns: The text; nil for a gap, and for configurations that no format carries.
    mutating func fingerprint(
        of segment: ChannelEngine.SlotDecision.Segment,
        isSampleEncrypted: Bool
    ) -> String? {
        let contents = segment.contents
        guard !contents.cut.isGap else { return nil }
        if segment.form.format == .webVTT { return "webvtt" }
        let audio = segment.form.format.carriesAudioWithPictures ? contents.audioConfiguration : nil
        let configurations = [contents.cut.configuration, audio].compactMap(\.self)
        guard !configurations.isEmpty else { return nil }
        let text = text(segment.id, segment.form, configurations, timescale: contents.cut.timescale)
        // Its sample entries, or stream types, differ from those of the segments after it: there players begin anew, as
        // Apple advises for CMAF.
        return contents.protection == .clearLead && isSampleEncrypted ? "clear-\(text)" : text
    }

    private mutating func text(
        _ id: RenditionID,
        _ form: SegmentForm,
        _ configurations: [CodecConfiguration],
        timescale: Int64
    ) -> String {
        if let known = known[id], known.form == form, known.configurations == configurations,
            known.timescale == timescale
        {
            return known.text
        }
        let text =
            form.format.hasInitializationSections
            ? configurations[0].fingerprint(timescale: UInt32(clamping: timescale), language: form.language)
            : configurations.map {
                $0.fingerprint(timescale: UInt32(clamping: $0.audio?.sampleRate ?? 90_000), language: nil)
            }
            .joined(separator: "-")
        known[id] = Known(form: form, configurations: configurations, timescale: timescale, text: text)
        return text
    }
}

/// The fingerprints of a rendition's newest media: parts may come while earlier slots still wait for other renditions.
struct FingerprintTrail: Sendable {
    /// The fingerprint of the newest media of slots that are over; nil for none.
    private var ended: String?
    /// The fingerprints of slots that are not over, oldest first.
    private var open: [(number: MediaSequenceNumber, fingerprint: String)] = []

    init(_ ended: String? = nil) { self.ended = ended }

    /// Notes media of a slot.
    ///
    /// - Returns: The fingerprint of the media before it, of the same slot or of an earlier one; nil for none.
    mutating func note(_ fingerprint: String, of number: MediaSequenceNumber) -> String? {
        let index = open.firstIndex { $0.number > number } ?? open.endIndex
        guard index > 0 else {
            open.insert((number, fingerprint), at: 0)
            return ended
        }
        let before = open[index - 1]
        if before.number == number {
            open[index - 1].fingerprint = fingerprint
        } else {
            open.insert((number, fingerprint), at: index)
        }
        return before.fingerprint
    }

    /// Notes that a slot is over, and those before it.
    mutating func end(_ number: MediaSequenceNumber) {
        while let first = open.first, first.number <= number {
            ended = first.fingerprint
            open.removeFirst()
        }
    }
}

extension CodecConfiguration {
    /// Returns the hash of an initialization section.
    ///
    /// Light levels of another scene make another section, since a section follows from the feed alone, but no
    /// discontinuity.
    fileprivate func fingerprint(timescale: UInt32, language: String?) -> String {
        let section = InitializationSection(
            configuration: withoutSceneMetadata,
            timescale: timescale,
            language: language
        )
        return ContentHash.everyByte(of: section.encode()).description
    }
}

import ISOBMFF
import MediaCore
import NIOCore
import Playlists
import SegmentingSupport
import Timeline

@testable import Segmenting

/// Slots of pictures and sound, for tests of ``PublicationLedger``.
protocol LedgerSuite {}

extension LedgerSuite {
    typealias Decision = ChannelEngine.SlotDecision

    static var video: SegmentForm { SegmentForm(kind: .video, format: .fragmentedMP4) }
    static var audio: SegmentForm { SegmentForm(kind: .audio, format: .fragmentedMP4, language: "en") }
    static var pictures: CodecConfiguration { CodecConfiguration.avc(SyntheticTracks.video) }
    static var sound: CodecConfiguration { CodecConfiguration.aac(SyntheticTracks.audio) }

    /// Playlists of six slots.
    static var length: WindowLength { WindowLength(duration: MediaTime(seconds: 24), targetDuration: 6) }

    static func ledger(
        clearLead: Int64 = 0,
        isSampleEncrypted: Bool = false,
        length: WindowLength? = length
    ) -> PublicationLedger {
        PublicationLedger(
            ChannelEngine.Configuration(
                name: "live",
                grid: SegmentGrid(slotDuration: MediaTime(seconds: 4)),
                clock: .pts,
                isSampleEncrypted: isSampleEncrypted,
                clearLead: clearLead,
                hintedKey: .identity,
                inputCount: 1,
                isPaced: true
            ),
            length: length
        )
    }

    static func describe(_ ids: RenditionID...) -> [RenditionDescription] {
        ids.map { RenditionDescription(id: $0, kind: $0 == "video" ? .video : .audio, codecs: []) }
    }

    static func cut(
        _ slot: Int64,
        _ configuration: CodecConfiguration?,
        timescale: Int64 = 90_000
    ) -> CutSegment {
        CutSegment(
            number: Epoch.slot.advanced(by: slot),
            start: Boundary(media: Epoch.at(slot * 4_000), utcOffset: .zero),
            end: Boundary(media: Epoch.at(slot * 4_000 + 4_000), utcOffset: .zero),
            timescale: timescale,
            decodeTime: 0,
            duration: 4 * timescale,
            samples: configuration == nil
                ? [] : [FragmentSample(duration: UInt32(4 * timescale), isSync: true, payload: ByteBuffer(bytes: [1]))],
            configuration: configuration
        )
    }

    static func segment(
        _ id: RenditionID,
        _ form: SegmentForm,
        _ cut: CutSegment,
        _ protection: SegmentProtection = .clear
    ) -> Decision.Segment {
        var contents = SegmentContents(cut)
        contents.protection = protection
        return Decision.Segment(id: id, form: form, contents: contents)
    }

    /// A slot of pictures and sound, each of which may be away.
    static func decision(
        _ slot: Int64,
        _ pictures: CodecConfiguration? = pictures,
        _ sound: CodecConfiguration? = sound,
        protection: SegmentProtection = .clear
    ) -> Decision {
        var decision = Decision(
            number: Epoch.slot.advanced(by: slot),
            followsLeap: false,
            startsDiscontinuity: false,
            segments: [
                segment("video", video, cut(slot, pictures), protection),
                segment("audio", audio, cut(slot, sound, timescale: 48_000), protection),
            ],
            withdrawn: [],
            keyClasses: [],
            notes: []
        )
        if protection != .clear { decision.keys = SlotKeys() }
        return decision
    }

    static func part(
        _ index: Int,
        of slot: Int64,
        _ id: RenditionID,
        _ configuration: CodecConfiguration?,
        _ protection: SegmentProtection = .clear
    ) -> ChannelEngine.PartDecision {
        var contents = SegmentContents(cut(slot, configuration, timescale: id == "video" ? 90_000 : 48_000))
        contents.protection = protection
        return ChannelEngine.PartDecision(
            id: id,
            form: id == "video" ? video : audio,
            index: index,
            contents: contents,
            startsDiscontinuity: false
        )
    }
}

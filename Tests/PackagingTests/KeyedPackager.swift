import ContentProtection
import MediaCore
import Playlists
import Presentation

@testable import Packaging
@testable import Segmenting

/// A packager whose segments are protected with the derived key of their crypto period, as an engine has it.
struct KeyedPackager {
    private let schedule: KeySchedule?
    private let encryption: ChannelEncryption
    private let keyClass: KeyClass
    private let keys = KeyStore()
    private var packager: RenditionPackager

    init(_ form: SegmentForm, id: RenditionID, encryption: ChannelEncryption) {
        schedule = encryption.keySource as? KeySchedule
        self.encryption = encryption
        keyClass = KeyClasses().ofAll(form.kind) ?? .video
        packager = RenditionPackager(form, id: id, encryption: encryption, keys: keys)
    }

    mutating func write(_ contents: SegmentContents) throws -> PublishedSegment {
        try packager.write(protected(contents))
    }

    mutating func write(_ part: ChannelEngine.PartDecision) throws -> PublishedPart {
        var part = part
        part.contents = try protected(part.contents)
        return try packager.write(part)
    }

    private func protected(_ contents: SegmentContents) throws -> SegmentContents {
        guard let schedule, !contents.isGap else { return contents }
        let key = try schedule.keys(for: schedule.periods.period(of: contents.cut.number), keyClass)
        keys.insert(key)
        var contents = contents
        contents.protection = .keys(encryption.references(to: key))
        return contents
    }
}

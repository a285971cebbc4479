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
        var contents = contents
        if let schedule, !contents.isGap {
            let key = try schedule.keys(for: schedule.periods.period(of: contents.cut.number), keyClass)
            keys.insert(key)
            contents.protection = .keys(encryption.references(to: key))
        }
        return try packager.write(contents)
    }
}

package import ContentProtection
import MediaCore
import NIOCore
package import Playlists
package import Presentation
package import Segmenting

/// Makes one rendition's segments: has cut media written in its format, encrypts it, and names the key.
package struct RenditionPackager: SegmentWriter {
    private let name: String
    private let encryption: ChannelEncryption
    private let keys: KeyStore
    private var muxer: any SegmentMuxer
    /// Encrypts whole segments during a crypto period.
    private var envelope: Envelope?
    private var buffers = SegmentBuffers()
    private var parts = WrittenParts()

    /// - Parameters:
    ///   - form: The form of its segments.
    ///   - id: The ID of the rendition.
    ///   - encryption: The channel's.
    ///   - keys: Those that segments are said to be protected with.
    package init(_ form: SegmentForm, id: RenditionID, encryption: ChannelEncryption, keys: KeyStore) {
        name = id.name
        self.encryption = encryption
        self.keys = keys
        muxer =
            switch form.format {
            case .webVTT: WebVTTMuxer(container: form.container)
            case .fragmentedMP4 where form.kind == .text(.imsc1): IMSC1Muxer(language: form.language, name: id.name)
            case .fragmentedMP4:
                FragmentMuxer(
                    kind: form.kind,
                    language: form.language,
                    isCounterMode: encryption.isCounterMode,
                    name: id.name
                )
            case .transportStream: TransportMuxer(language: form.audioLanguage)
            case .aac, .ac3, .ec3, .mp3: PackedAudioMuxer()
            }
    }

    /// Makes the segment, or the gap.
    ///
    /// - Parameter contents: The contents of the slot.
    /// - Returns: The segment to be published.
    /// - Throws: ``OpenSSLError`` or ``SampleEncryptionError`` if OpenSSL fails; ``MissingKey``.
    package mutating func write(_ contents: SegmentContents) throws -> PublishedSegment {
        let cut = contents.cut
        if cut.isGap { return PublishedSegment(gap: cut) }
        let references = try references(of: contents)
        let key = try references.first.map { try keys.key($0.keyID) }
        let listedKeys = references.compactMap(encryption.playlistKey)
        var muxed =
            if contents.partCount > 0 {
                try parts.join(cut.number, count: contents.partCount, into: buffers.take())
            } else {
                try muxer.mux(contents, key: encryption.isOfSamples ? key : nil, into: buffers.take())
            }
        if let (cipher, includesInitialization) = encryption.sealing, let key {
            let references = includesInitialization ? references : nil
            try seal(&muxed, cut.number, key, cipher, sealsInitializationFor: references)
        } else {
            muxed.initialization?.keys = listedKeys
        }
        buffers.keep(muxed.bytes)
        return PublishedSegment(
            programDateTime: cut.start.utc,
            duration: muxed.duration ?? SegmentDuration(value: cut.duration, timescale: cut.timescale),
            content: .media(muxed.bytes),
            initialization: muxed.initialization,
            keys: listedKeys,
            // Fillers are left out of I-frame playlists.
            iFrame: cut.filler == nil ? muxed.iFrame : nil,
            isIndependent: cut.isIndependent,
            filler: cut.filler.map { $0 == .slate ? .slate : .hold },
            isPartial: (!cut.isWhole || contents.lacksAudio) && cut.filler == nil,
            selection: cut.selection
        )
    }

    /// Makes the part, or the gap.
    ///
    /// - Parameter part: The part that follows the one before it in its slot.
    /// - Returns: The part to be published.
    /// - Throws: ``OpenSSLError`` or ``SampleEncryptionError`` if OpenSSL fails; ``MissingKey``.
    package mutating func write(_ part: ChannelEngine.PartDecision) throws -> PublishedPart {
        if part.contents.isGap { return PublishedPart(gap: part) }
        // A segment that is encrypted as a whole has no parts.
        guard encryption.sealing == nil else { throw SegmentMuxerError.notCarried }
        let references = try references(of: part.contents)
        let key = try references.first.map { try keys.key($0.keyID) }
        var muxed = try muxer.mux(part, key: key)
        muxed.initialization?.keys = references.compactMap(encryption.playlistKey)
        parts.add(muxed, of: part.cut.number, at: part.index)
        return PublishedPart(part, muxed)
    }

    /// The keys that media is encrypted with, once for each key system; empty if nothing is.
    private func references(of contents: SegmentContents) throws(MissingKey) -> [KeyReference] {
        guard contents.cut.configuration?.kind.isProtected ?? true else { return [] }
        switch (encryption.keySource, contents.protection) {
        case (nil, .clear), (.some, .clearLead): return []
        case (.some, .keys(let references)) where !references.isEmpty: return references
        case (_, .keys), (.some, .clear), (nil, .clearLead), (_, .missing): throw MissingKey()
        }
    }

    /// Encrypts a segment as a whole, and its initialization section on request.
    ///
    /// RFC 8216bis § 4.4.4.5 allows both. VLC only reads clear sections, and these do not change with the key.
    private mutating func seal(
        _ segment: inout MuxedSegment,
        _ number: MediaSequenceNumber,
        _ key: PeriodKey,
        _ cipher: SegmentCipher,
        sealsInitializationFor references: [KeyReference]?
    ) throws {
        let envelope =
            if let envelope, envelope.key == key { envelope } else { try Envelope(key, cipher, rendition: name) }
        self.envelope = envelope
        try envelope.seal(&segment.bytes, number)
        // Bytes under an authentication tag cannot be read in part.
        if cipher == .aes256GCM { segment.iFrame = nil }
        if let references {
            segment.initialization = try segment.initialization.map { try envelope.seal($0, references) }
        }
    }

    /// The keyed cipher of a crypto period; a class because an OpenSSL context cannot be copied.
    private final class Envelope {
        let key: PeriodKey
        private let cipher: SegmentCipher
        private let rendition: String
        private var encryptor: SegmentEncryptor
        /// An initialization section with its encrypted form.
        private var newest: (clear: String, sealed: PublishedSegment.InitializationSection)?

        init(_ key: PeriodKey, _ cipher: SegmentCipher, rendition: String) throws {
            guard key.contentKey.bytes.count == cipher.keySize else { throw MissingKey() }
            (self.key, self.cipher, self.rendition) = (key, cipher, rendition)
            encryptor = try SegmentEncryptor(key: key.contentKey, cipher: cipher)
        }

        func seal(_ segment: inout ByteBuffer, _ number: MediaSequenceNumber) throws {
            // With one vector for all, equal beginnings of segments would show.
            let vector =
                switch cipher {
                case .aes128: number.initializationVector
                case .aes256GCM: try vector(of: segment, number)
                }
            try encryptor.encrypt(&segment, iv: vector)
        }

        private func vector(of contents: ByteBuffer, _ number: MediaSequenceNumber?) throws -> Bytes16 {
            try SegmentVector.vector(of: contents, number: number, rendition: rendition, key: key.contentKey)
        }

        func seal(
            _ section: PublishedSegment.InitializationSection,
            _ references: [KeyReference]
        ) throws -> PublishedSegment.InitializationSection {
            if let newest, newest.clear == section.name { return newest.sealed }
            var bytes = section.bytes
            try encryptor.encrypt(&bytes, iv: cipher == .aes128 ? key.constantIV : vector(of: bytes, nil))
            var sealed = PublishedSegment.InitializationSection(bytes: bytes)
            sealed.keys = references.map { reference in
                switch cipher {
                // A map has no number, so that its key must state the vector (RFC 8216bis § 4.4.4.5).
                case .aes128:
                    EncryptionKey(method: .aes128, uri: reference.uri, initializationVector: reference.constantIV)
                case .aes256GCM: EncryptionKey(method: .aes256GCM, uri: reference.uri)
                }
            }
            newest = (section.name, sealed)
            return sealed
        }
    }
}

extension PublishedSegment {
    /// A segment without media, key and initialization section: those before it stay in force.
    package init(gap cut: CutSegment) {
        self.init(
            programDateTime: cut.start.utc,
            duration: cut.durationOfGap,
            content: .gap,
            selection: cut.selection
        )
    }
}

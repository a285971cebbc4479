import ContentProtection
import ISOBMFF
import MediaCore
import NIOCore
import Operations
import Playlists
import Presentation
import SegmentingSupport
import TestSupport
import Testing

@testable import Inspection
@testable import Packaging
@testable import Segmenting

@Suite struct RenditionPackagerTests {
    private static let video = CodecConfiguration.avc(SyntheticTracks.video)
    private static let audio = CodecConfiguration.aac(SyntheticTracks.audio)

    private static func schedule(slotsPerPeriod: Int64? = nil) throws -> KeySchedule {
        let secret = try #require(MasterSecret(Array(1...32)))
        return KeySchedule(secret: secret, channel: "live", slotsPerPeriod: slotsPerPeriod)
    }

    /// A segment of two samples whose bytes depend on nothing but the slot.
    private static func cut(_ slot: Int64 = 0, _ configuration: CodecConfiguration = video) -> CutSegment {
        var generator = SeededGenerator(seed: UInt64(slot))
        let timescale: Int64 = configuration.kind == .video ? 90_000 : 48_000
        let start = Boundary(media: Epoch.at(slot * 4_000), utcOffset: MediaTime(seconds: 1))
        let duration = 4 * timescale
        return CutSegment(
            number: MediaSequenceNumber(Epoch.slot.value + slot),
            start: start,
            end: Boundary(media: Epoch.at(slot * 4_000 + 4_000), utcOffset: MediaTime(seconds: 1)),
            timescale: timescale,
            decodeTime: start.media.value(timescale: timescale),
            duration: duration,
            samples: [true, false].map { isSync in
                let bytes = (0..<700).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
                return FragmentSample(
                    duration: UInt32(duration / 2),
                    compositionOffset: isSync || configuration.kind == .audio ? 0 : -300,
                    isSync: isSync || configuration.kind == .audio,
                    payload: ByteBuffer(bytes: bytes),
                    subsamples: configuration.kind == .audio
                        ? []
                        : [
                            Subsample(clearBytes: 30, protectedBytes: 370),
                            Subsample(clearBytes: 9, protectedBytes: 291),
                        ]
                )
            },
            configuration: configuration
        )
    }

    private static func gap() -> CutSegment {
        var cut = cut(7)
        cut.samples = []
        cut.configuration = nil
        return cut
    }

    private static func packager(
        _ kind: MediaKind = .video,
        _ encryption: ChannelEncryption = .none,
        language: String? = nil
    ) -> KeyedPackager {
        let form = SegmentForm(kind: kind, format: .fragmentedMP4, language: language)
        return KeyedPackager(form, id: "rendition", encryption: encryption)
    }

    // MARK: Memory

    /// A job writes one segment while the one before it goes to the disk.
    @Test func memoryOfSegmentsThatNobodyHasIsWrittenOver() throws {
        var packager = Self.packager()
        let addresses = try (0..<6 as Range<Int64>).map { slot in
            let media = try #require(try packager.write(SegmentContents(Self.cut(slot))).media)
            return media.withUnsafeReadableBytes { UInt(bitPattern: $0.baseAddress) }
        }
        let (first, second) = (addresses[0], addresses[1])
        #expect(first != second)
        #expect(addresses == [first, second, first, second, first, second])
    }

    /// A segment may be in the window, or on its way to a viewer.
    @Test func segmentsThatSomebodyHasStayAsTheyAre() throws {
        let schedule = try Self.schedule(slotsPerPeriod: 2)
        for encryption in [ChannelEncryption.none, .sampleAES(schedule), .aes128(schedule)] {
            var packager = Self.packager(.video, encryption)
            var kept: [Int64: ByteBuffer] = [:]
            for slot in 0..<12 as Range<Int64> {
                let media = try packager.write(SegmentContents(Self.cut(slot))).media
                if slot % 3 != 0 { kept[slot] = media }
            }
            #expect(kept.count == 8)
            for (slot, media) in kept {
                var other = Self.packager(.video, encryption)
                #expect(try other.write(SegmentContents(Self.cut(slot))).media == media)
            }
        }
    }

    // MARK: Timed metadata

    /// Each has its time on the rendition's own timeline, and is one and the same for who reads several renditions.
    @Test func tagsAreInEveryRendition() throws {
        let tags = [1_000, 2_500].map { (milliseconds: Int64) in
            TimedTag(utc: Epoch.at(13_000 + milliseconds), bytes: ByteBuffer(string: "ID3 \(milliseconds)"))
        }
        var messages: [[[String: String]]] = []
        for (kind, configuration) in [(MediaKind.video, Self.video), (.audio, Self.audio)] {
            let cut = Self.cut(3, configuration)
            var (tagged, plain) = (Self.packager(kind), Self.packager(kind))
            var contents = SegmentContents(cut)
            let without = try #require(try plain.write(contents).media)
            contents.tags = tags
            let segment = try tagged.write(contents)
            let bytes = try #require(segment.media)
            let boxes = try ParsedBox.boxes(in: bytes).filter { $0.type == "emsg" }
            let length = boxes.reduce(0) { $0 + $1.range.count }
            #expect(boxes.count == 2 && bytes.readableBytes == without.readableBytes + length)
            #expect(
                Array(bytes.readableBytesView).suffix(without.readableBytes - 24)
                    == Array(without.readableBytesView).dropFirst(24)
            )
            if kind == .video { #expect(try #require(segment.iFrame?.upperBound) > length + 700) }
            messages.append(
                try boxes.map { box in
                    var fields = BoxFields(box.content)
                    try fields.read("emsg", in: nil)
                    return Dictionary(fields.values.map { ($0.name, $0.value) }) { first, _ in first }
                }
            )
        }
        #expect(messages[0].map { $0["id"] } == messages[1].map { $0["id"] })
        #expect(Set(messages[0].map { $0["id"] }).count == 2)
        for (timescale, rendition) in zip([90_000, 48_000] as [Int64], messages) {
            let times = ([13_000, 14_500] as [Int64]).map { "\(Epoch.at($0).value(timescale: timescale))" }
            #expect(rendition.map { $0["presentation_time"] } == times)
            #expect(rendition.allSatisfy { $0["timescale"] == "\(timescale)" })
            #expect(rendition.allSatisfy { $0["scheme_id_uri"] == "https://aomedia.org/emsg/ID3" })
        }
    }

    /// Sections about splices are on the rendition's own timeline, one and the same in all.
    @Test func sectionsAreInEveryRendition() throws {
        var out = DateRange(id: "7", start: Epoch.at(17_000))
        (out.plannedDuration, out.spliceOut) = (MediaTime(seconds: 20), [0xFC, 1])
        var back = DateRange(id: "6", start: Epoch.at(3_000), duration: MediaTime(seconds: 12))
        back.spliceIn = [0xFC, 2]
        let unsaid = DateRange(id: "5", start: Epoch.at(3_000), duration: MediaTime(seconds: 12))
        let sections = [out, back, unsaid].compactMap(TimedSection.init)
        var ids: [[String?]] = []
        for (kind, configuration) in [(MediaKind.video, Self.video), (.audio, Self.audio)] {
            var contents = SegmentContents(Self.cut(3, configuration))
            contents.sections = sections
            var packager = Self.packager(kind)
            let bytes = try #require(try packager.write(contents).media)
            let messages = try ParsedBox.boxes(in: bytes).filter { $0.type == "emsg" }.map { box in
                var fields = BoxFields(box.content)
                try fields.read("emsg", in: nil)
                return Dictionary(fields.values.map { ($0.name, $0.value) }) { first, _ in first }
            }
            let timescale: Int64 = kind == .video ? 90_000 : 48_000
            // Media time is a second behind UTC.
            let times = ([16_000, 14_000] as [Int64]).map { "\(Epoch.at($0).value(timescale: timescale))" }
            #expect(messages.map { $0["presentation_time"] } == times)
            #expect(messages.map { $0["event_duration"] } == ["\(20 * timescale)", "0"])
            #expect(messages.allSatisfy { $0["scheme_id_uri"] == "urn:scte:scte35:2013:bin" })
            ids.append(messages.map { $0["id"] })
        }
        #expect(ids[0] == ids[1] && Set(ids[0]).count == 2)
    }

    /// Between the frames before it is due and those that are heard then, behind the tag that tells the segment's time.
    @Test func tagsAreBetweenFramesOfPackedAudio() throws {
        let tags = [12_990, 13_000, 14_000, 16_999].map { (milliseconds: Int64) in
            TimedTag(utc: Epoch.at(milliseconds), bytes: ByteBuffer(string: "ID3 \(milliseconds)"))
        }
        let form = SegmentForm(kind: .audio, format: .aac, language: nil)
        var (tagged, plain) = (
            KeyedPackager(form, id: "audio", encryption: .none), KeyedPackager(form, id: "audio", encryption: .none)
        )
        var contents = SegmentContents(Self.cut(3, Self.audio))
        let without = Array(try #require(try plain.write(contents).media).readableBytesView)
        contents.tags = tags
        let with = Array(try #require(try tagged.write(contents).media).readableBytesView)
        let head = 73
        let frame = (without.count - head) / 2
        let text = { (bytes: ArraySlice<UInt8>) in String(decoding: bytes, as: UTF8.self) }
        #expect(with.prefix(head) == without.prefix(head))
        #expect(text(with[head...].prefix(18)) == "ID3 12990ID3 13000")
        #expect(with.dropFirst(head + 18).prefix(frame) == without.dropFirst(head).prefix(frame))
        #expect(text(with.dropFirst(head + 18 + frame).prefix(9)) == "ID3 14000")
        #expect(text(with.suffix(9)) == "ID3 16999")
        #expect(with.count == without.count + 36)
    }

    // MARK: Clear

    @Test(arguments: [video, audio])
    func aClearSegmentSaysWhatWasCut(configuration: CodecConfiguration) throws {
        let cut = Self.cut(3, configuration)
        var packager = Self.packager(configuration.kind)
        let segment = try packager.write(SegmentContents(cut))
        #expect(segment.programDateTime == Epoch.at(13_000))
        #expect(segment.duration.description == "4.000000")
        #expect(segment.keys.isEmpty)

        let initialization = try ParsedInitialization(#require(segment.initialization).bytes)
        #expect(initialization.track.timescale == UInt32(cut.timescale))
        #expect(initialization.track.handler == (configuration.kind == .video ? "vide" : "soun"))
        #expect(initialization.track.sampleEntry.type == (configuration.kind == .video ? "avc1" : "mp4a"))
        #expect(initialization.track.sampleEntry.encryption == nil)

        let media = try #require(segment.media)
        let fragments = try ParsedFragment.fragments(in: media, initialization: initialization)
        let fragment = try #require(fragments.first)
        #expect(fragments.count == 1)
        #expect(fragment.sequenceNumber == UInt32(Epoch.slot.value + 3))
        #expect(fragment.baseMediaDecodeTime == UInt64(cut.decodeTime))
        #expect(fragment.endDecodeTime == UInt64(cut.decodeTime + cut.duration))
        let samples = cut.samples.decodedBeforePresentation
        #expect(fragment.samples.map(\.duration) == samples.map(\.duration))
        #expect(fragment.samples.map(\.compositionOffset) == samples.map { Int64($0.compositionOffset) })
        #expect(fragment.samples.map(\.isSync) == cut.samples.map(\.isSync))
        for (found, sample) in zip(fragment.samples, cut.samples) {
            #expect(media.getSlice(at: found.range.lowerBound, length: found.size) == sample.payload)
        }
    }

    @Test func theLanguageIsInTheInitializationSection() throws {
        var packager = Self.packager(.audio, language: "de")
        let segment = try packager.write(SegmentContents(Self.cut(0, Self.audio)))
        let initialization = try ParsedInitialization(#require(segment.initialization).bytes)
        #expect(initialization.track.language == "deu")
    }

    @Test func aGapHasNeitherMediaNorKeyNorInitializationSection() throws {
        var packager = Self.packager(.video, .sampleAES(try Self.schedule()))
        _ = try packager.write(SegmentContents(Self.cut()))
        let segment = try packager.write(SegmentContents(Self.gap()))
        #expect(segment.media == nil)
        #expect(segment.initialization == nil)
        #expect(segment.keys.isEmpty)
        #expect(segment.programDateTime == Epoch.at(29_000))
        #expect(segment.duration == SegmentDuration(value: 360_000, timescale: 90_000))
    }

    // MARK: Encrypted

    @Test func whatHasNoKeyIsNotWritten() throws {
        let form = SegmentForm(kind: .video, format: .fragmentedMP4)
        for encryption in [ChannelEncryption.aes128(try Self.schedule()), .sampleAES(try Self.schedule())] {
            var packager = RenditionPackager(form, id: "video", encryption: encryption, keys: KeyStore())
            var contents = SegmentContents(Self.cut())
            let unknown = try encryption.references(to: Self.schedule().keys(for: CryptoPeriod(0), .video))
            for protection in [SegmentProtection.clear, .missing, .keys([]), .keys(unknown)] {
                contents.protection = protection
                #expect(throws: MissingKey.self) { try packager.write(contents) }
            }
        }
    }

    @Test func sampleAESEncryptsVideoInPatternedSubsamples() throws {
        let schedule = try Self.schedule(slotsPerPeriod: 10)
        let cut = Self.cut(3)
        var packager = Self.packager(.video, .sampleAES(schedule))
        let segment = try packager.write(SegmentContents(cut))
        let key = try schedule.keys(for: schedule.periods.period(of: cut.number), .video)
        #expect(
            segment.keys
                == [EncryptionKey(method: .sampleAES, uri: "keys/\(key.keyID)", initializationVector: key.constantIV)]
        )
        let initialization = try ParsedInitialization(#require(segment.initialization).bytes)
        let protection = try #require(initialization.track.sampleEntry.encryption)
        #expect(initialization.track.sampleEntry.type == "encv")
        #expect(initialization.track.sampleEntry.scheme == "cbcs")
        #expect(protection.keyID == key.keyID)
        #expect(protection.constantIV == key.constantIV.bytes)
        #expect((protection.cryptBlocks, protection.skipBlocks) == (1, 9))

        let media = try #require(segment.media)
        let fragment = try #require(ParsedFragment.fragments(in: media, initialization: initialization).first)
        #expect(fragment.samples.map(\.subsamples) == cut.samples.map(\.subsamples))
        for (found, sample) in zip(fragment.samples, cut.samples) {
            let bytes = try #require(media.getBytes(at: found.range.lowerBound, length: found.size))
            var clear = Array(sample.payload.readableBytesView)
            try Self.encrypt(&clear, ranges: [30..<400, 409..<700], key: key, every: 10)
            #expect(bytes == clear)
            #expect(bytes != Array(sample.payload.readableBytesView))
        }
    }

    @Test func sampleAESEncryptsAudioWholly() throws {
        let schedule = try Self.schedule()
        let cut = Self.cut(3, Self.audio)
        var packager = Self.packager(.audio, .sampleAES(schedule))
        let segment = try packager.write(SegmentContents(cut))
        let key = try schedule.keys(for: schedule.periods.period(of: cut.number), .audio)
        let initialization = try ParsedInitialization(#require(segment.initialization).bytes)
        #expect(initialization.track.sampleEntry.type == "enca")
        #expect(initialization.track.sampleEntry.encryption?.keyID == key.keyID)
        let media = try #require(segment.media)
        let fragment = try #require(ParsedFragment.fragments(in: media, initialization: initialization).first)
        for (found, sample) in zip(fragment.samples, cut.samples) {
            var clear = Array(sample.payload.readableBytesView)
            try Self.encrypt(&clear, ranges: [0..<700], key: key, every: 1)
            #expect(media.getBytes(at: found.range.lowerBound, length: found.size) == clear)
        }
    }

    @Test(arguments: [false, true])
    func aes128EncryptsSegmentsAndOnRequestInitializationSections(includesInitialization: Bool) throws {
        let schedule = try Self.schedule()
        let cut = Self.cut(3)
        var clearPackager = Self.packager()
        let clear = try clearPackager.write(SegmentContents(cut))
        let encryption = ChannelEncryption.aes128(schedule, includesInitialization: includesInitialization)
        var packager = Self.packager(.video, encryption)
        let segment = try packager.write(SegmentContents(cut))
        let key = try schedule.keys(for: schedule.periods.period(of: cut.number), .video)
        // Each segment has a vector of its own, which is its number (RFC 8216bis § 5.2).
        #expect(segment.keys == [EncryptionKey(method: .aes128, uri: "keys/\(key.keyID)")])
        var encryptor = try SegmentEncryptor(key: key.contentKey)
        var (media, section) = (try #require(clear.media), try #require(clear.initialization).bytes)
        try encryptor.encrypt(&media, iv: Bytes16(high: 0, low: UInt64(cut.number.value)))
        if includesInitialization { try encryptor.encrypt(&section, iv: key.constantIV) }
        #expect(segment.media == media)
        #expect(segment.initialization?.bytes == section)
        // A map has no number: its key has to name the vector (§ 4.4.4.5).
        let vector = segment.initialization?.keys.first?.initializationVector
        #expect(vector == (includesInitialization ? key.constantIV : nil))
        #expect((segment.initialization?.keys.isEmpty ?? true) == !includesInitialization)
    }

    @Test(arguments: [false, true])
    func aes256GCMSealsSegmentsAndOnRequestInitializationSections(includesInitialization: Bool) throws {
        let secret = try #require(MasterSecret(Array(1...32)))
        let schedule = KeySchedule(secret: secret, channel: "live", slotsPerPeriod: nil, keySize: .bits256)
        var clearPackager = Self.packager()
        let clear = try clearPackager.write(SegmentContents(Self.cut(3)))
        let encryption = ChannelEncryption.aes256GCM(schedule, includesInitialization: includesInitialization)
        var packager = Self.packager(.video, encryption)
        let segment = try packager.write(SegmentContents(Self.cut(3)))
        let key = try schedule.keys(for: CryptoPeriod(0), .video)
        let listed = [EncryptionKey(method: .aes256GCM, uri: "keys/\(key.keyID)")]
        #expect(segment.keys == listed)
        #expect(segment.initialization?.keys == (includesInitialization ? listed : []))
        #expect(segment.iFrame == nil)
        var decryptor = try SegmentDecryptor(key: key.contentKey, cipher: .aes256GCM)
        let zero = Bytes16(high: 0, low: 0)
        #expect(try decryptor.decrypted(#require(segment.media), iv: zero) == clear.media)
        let section = try #require(segment.initialization?.bytes)
        #expect(
            try includesInitialization
                ? decryptor.decrypted(section, iv: zero) == clear.initialization?.bytes
                : section == clear.initialization?.bytes
        )
        // The same from another packager, and another one for another slot.
        var peer = Self.packager(.video, encryption)
        #expect(try peer.write(SegmentContents(Self.cut(3))).media == segment.media)
        let next = try peer.write(SegmentContents(Self.cut(4)))
        #expect(next.media?.getBytes(at: 0, length: 16) != segment.media?.getBytes(at: 0, length: 16))
        #expect(next.initialization?.name == segment.initialization?.name)
    }

    @Test func aKeyThatIsTooShortSealsNothing() throws {
        var packager = Self.packager(.video, .aes256GCM(try Self.schedule()))
        #expect(throws: MissingKey.self) { try packager.write(SegmentContents(Self.cut(3))) }
    }

    @Test func aKeyThatGoesOnProtectsWhatComesAfterItsPeriod() throws {
        let schedule = try Self.schedule(slotsPerPeriod: 2)
        let key = try schedule.keys(for: schedule.periods.period(of: Self.cut(0).number), .video)
        let keys = KeyStore()
        keys.insert(key)
        var contents = SegmentContents(Self.cut(3))
        let encryption = ChannelEncryption.aes128(schedule)
        contents.protection = .keys(encryption.references(to: key))
        let form = SegmentForm(kind: .video, format: .fragmentedMP4)
        var packager = RenditionPackager(form, id: "video", encryption: encryption, keys: keys)
        let segment = try packager.write(contents)
        #expect(segment.keys.map(\.uri) == ["keys/\(key.keyID)"])
        var clearPackager = Self.packager()
        let clear = try clearPackager.write(SegmentContents(Self.cut(3)))
        var media = try #require(clear.media)
        var encryptor = try SegmentEncryptor(key: key.contentKey)
        try encryptor.encrypt(&media, iv: contents.cut.number.initializationVector)
        #expect(segment.media == media)
    }

    @Test func segmentsThatBeginAlikeDoNotLookAlike() throws {
        var packager = Self.packager(.video, .aes128(try Self.schedule()))
        let segments = try (0..<4 as Range<Int64>).map { try packager.write(SegmentContents(Self.cut($0))) }
        #expect(Set(segments.compactMap { $0.media?.getBytes(at: 0, length: 16) }).count == 4)
    }

    @Test func aClearInitializationSectionStaysWhenTheKeyChanges() throws {
        var packager = Self.packager(.video, .aes128(try Self.schedule(slotsPerPeriod: 2)))
        let segments = try (0..<6 as Range<Int64>).map { try packager.write(SegmentContents(Self.cut($0))) }
        #expect(Set(segments.compactMap(\.initialization?.name)).count == 1)
        #expect(Set(segments.flatMap(\.keys)).count == 3)
    }

    /// `cbcs` with OpenSSL's whole-message CBC: the encrypted blocks of a range are one message.
    private static func encrypt(
        _ sample: inout [UInt8],
        ranges: [Range<Int>],
        key: PeriodKey,
        every step: Int
    ) throws {
        var encryptor = try SegmentEncryptor(key: key.contentKey)
        for range in ranges {
            let blocks = stride(from: range.lowerBound, through: range.upperBound - 16, by: 16 * step)
            let message = blocks.flatMap { sample[$0..<($0 + 16)] }
            var encrypted = ByteBuffer(bytes: message)
            try encryptor.encrypt(&encrypted, iv: key.constantIV)
            for (index, block) in blocks.enumerated() {
                let bytes = encrypted.readableBytesView.dropFirst(index * 16).prefix(16)
                sample.replaceSubrange(block..<(block + 16), with: bytes)
            }
        }
    }

    // MARK: Counter mode

    /// The vectors of a segment's samples, as `senc` has them.
    private static func vectors(_ segment: PublishedSegment) throws -> [[UInt8]] {
        let initialization = try ParsedInitialization(#require(segment.initialization).bytes)
        let fragments = try ParsedFragment.fragments(in: #require(segment.media), initialization: initialization)
        return fragments.flatMap(\.samples).map(\.initializationVector)
    }

    @Test func inCounterModeNoVectorComesTwice() throws {
        let encryption = ChannelEncryption.sampleAESCounterMode(try Self.schedule())
        let form = SegmentForm(kind: .video, format: .fragmentedMP4)
        var vectors: [[UInt8]] = []
        for id in ["video-1080p", "video-720p"] as [RenditionID] {
            var packager = KeyedPackager(form, id: id, encryption: encryption)
            for slot in 0..<5 as Range<Int64> {
                let segment = try packager.write(SegmentContents(Self.cut(slot)))
                #expect(segment.keys.first?.method == .sampleAESCounterMode)
                // RFC 8216bis § 4.4.4.4: the attribute must not be there.
                #expect(segment.keys.first?.initializationVector == nil)
                vectors += try Self.vectors(segment)
            }
        }
        #expect(vectors.count == 2 * 5 * 2)
        #expect(Set(vectors).count == vectors.count)
    }

    // MARK: Determinism

    @Test(arguments: ["none", "aes-128", "sample-aes", "sample-aes-ctr"])
    func twoPackagersWriteTheSameBytesWheneverTheyBegan(method: String) throws {
        let encryption: () throws -> ChannelEncryption = {
            switch method {
            case "aes-128": .aes128(try Self.schedule(slotsPerPeriod: 4))
            case "sample-aes": .sampleAES(try Self.schedule(slotsPerPeriod: 4))
            case "sample-aes-ctr": .sampleAESCounterMode(try Self.schedule(slotsPerPeriod: 4))
            default: .none
            }
        }
        var first = Self.packager(.video, try encryption())
        var second = Self.packager(.video, try encryption())
        let segments = try (0..<12 as Range<Int64>).map { try first.write(SegmentContents(Self.cut($0))) }
        for slot in 5..<12 as Range<Int64> {
            let segment = try second.write(SegmentContents(Self.cut(slot)))
            let other = segments[Int(slot)]
            #expect(segment.media == other.media)
            #expect(segment.initialization?.name == other.initialization?.name)
            #expect(segment.initialization?.bytes == other.initialization?.bytes)
            #expect(segment.keys == other.keys)
        }
    }

    @Test func theInitializationSectionHasItsNameFromItsBytes() throws {
        var packager = Self.packager(.video, .sampleAES(try Self.schedule(slotsPerPeriod: 4)))
        let names = try (0..<8 as Range<Int64>).map {
            try #require(packager.write(SegmentContents(Self.cut($0))).initialization).name
        }
        #expect(Set(names[..<4]).count == 1)
        #expect(Set(names[4...]).count == 1)
        #expect(names[0] != names[4])
        #expect(names.allSatisfy { $0.wholeMatch(of: /init-[0-9a-f]{16}\.mp4/) != nil })
    }

    @Test func aNewConfigurationHasANewNameAndAnOldOneItsOldName() throws {
        var packager = Self.packager()
        var other = SyntheticTracks.video
        other.picture.width = 1_280
        let names = try [Self.video, .avc(other), Self.video].map { configuration in
            try #require(packager.write(SegmentContents(Self.cut(0, configuration))).initialization).name
        }
        #expect(names[0] != names[1])
        #expect(names[0] == names[2])
    }

    @Test func audioOfAnotherSampleRateHasAnotherInitializationSection() throws {
        var packager = Self.packager(.audio)
        var cut = Self.cut(0, Self.audio)
        let first = try #require(packager.write(SegmentContents(cut)).initialization)
        cut.timescale = 44_100
        let second = try #require(packager.write(SegmentContents(cut)).initialization)
        #expect(first.name != second.name)
        #expect(try ParsedInitialization(second.bytes).track.timescale == 44_100)
    }
}

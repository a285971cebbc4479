import Codecs
import ContentProtection
import Inspection
import MPEGTS
import MediaCore
import NIOCore

/// Decrypts the samples of transport streams and packed audio, and encrypts them again: METHOD=SAMPLE-AES.
///
/// Ciphertext needs emulation prevention, so pictures change their lengths, and a transport stream is put
/// together anew in the same way.
struct TransportRekeyer: ~Copyable {
    private var old: TransportSampleEncryptor
    private var new: TransportSampleEncryptor

    /// - Parameters:
    ///   - replacement: The two keys.
    ///   - vector: The vector of the old key.
    /// - Throws: ``OpenSSLError``.
    init(_ replacement: KeyReplacement, vector: Bytes16) throws(OpenSSLError) {
        let old = try TransportSampleEncryptor(key: replacement.old.contentKey, iv: vector, direction: .decrypting)
        let new = try TransportSampleEncryptor(key: replacement.new.contentKey, iv: replacement.new.constantIV)
        self.old = old
        self.new = new
    }

    /// A segment of a transport stream.
    ///
    /// - Returns: The new segment, and its bytes up to the end of the first picture.
    /// - Throws: ``RekeyingProblem`` if packager cannot have written the segment, and errors of decryption.
    mutating func rekeyed(_ segment: ByteBuffer) throws -> (bytes: ByteBuffer, pictureByteCount: Int?) {
        let parsed = ParsedTransportStream(segment)
        if let violation = parsed.violations.first(where: { !Self.harmless.contains($0.rule) }) {
            throw RekeyingProblem("\(violation)")
        }
        let streams = parsed.map?.streams ?? []
        var elementary: [ElementaryStream] = []
        var units: [[TransportAccessUnit]] = []
        let start = streams.lazy.compactMap { parsed.units[$0.pid]?.first?.decodeTime }.first ?? 0
        for stream in streams {
            guard let announced = ElementaryStream(stream) else {
                throw RekeyingProblem("a stream of type \(stream.type) is none that SAMPLE-AES is defined for")
            }
            elementary.append(announced)
            units.append(try accessUnits(of: parsed.units[stream.pid] ?? [], announced.kind, from: start))
        }
        let (bytes, pictureByteCount) = TransportStreamSegment(try TransportProgram(elementary), units: units).encode()
        // PAT and PMT come first. Their unknown parts are kept.
        let tables = 2 * TransportPacket.byteCount
        guard bytes.getSlice(at: 0, length: tables) == segment.getSlice(at: segment.readerIndex, length: tables) else {
            throw RekeyingProblem("its program map is not one that this packager writes")
        }
        return (bytes, pictureByteCount)
    }

    /// Ten minutes in ticks of 90 kHz; the clock has to run through all of a segment.
    private static let longestSegment: Int64 = 54_000_000

    /// Faults of timestamps, which stay as they were.
    private static let harmless: Set<TransportStreamViolation.Rule> = [
        .presentationBeforeDecoding, .noRandomAccess, .clockTooRare, .clockBackwards,
        .clockAfterDecoding,
    ]

    /// A segment of packed audio.
    ///
    /// Only the protected bytes change.
    ///
    /// - Throws: ``RekeyingProblem`` if it is not packed audio, and errors of decryption.
    mutating func rekeyed(packedAudio segment: ByteBuffer, _ format: SegmentFormat) throws -> ByteBuffer {
        let kind: ElementaryStream.Kind
        switch format {
        case .aac: kind = .aac
        case .ac3: kind = .ac3
        case .ec3: kind = .eac3
        case .fragmentedMP4, .transportStream, .mp3, .webVTT:
            throw RekeyingProblem(
                "it is neither a transport stream nor packed audio, and has no initialization section"
            )
        }
        var frames = try ParsedPackedAudio(segment).frames
        try rekey(&frames, of: kind)
        var bytes = segment
        bytes.setBuffer(frames, at: bytes.writerIndex - frames.readableBytes)
        return bytes
    }

    /// - Parameters:
    ///   - packets: The packets of one stream.
    ///   - kind: The kind of the stream.
    ///   - start: The time from which on timestamps do not wrap.
    /// - Returns: An access unit for each packet.
    /// - Throws: ``RekeyingProblem``, and errors of decryption.
    private mutating func accessUnits(
        of packets: [ParsedPESPacket],
        _ kind: ElementaryStream.Kind,
        from start: Int64
    ) throws -> [TransportAccessUnit] {
        var units: [TransportAccessUnit] = []
        var last: Int64 = 0
        for (index, packet) in packets.enumerated() {
            guard let decodeTime = packet.decodeTime, let presentationTime = packet.presentationTime else {
                throw RekeyingProblem("a PES packet has no time")
            }
            let distance = TransportTime.distance(from: start, to: decodeTime)
            guard abs(distance) <= Self.longestSegment else {
                throw RekeyingProblem("a PES packet lies \(distance / 90_000) s from the first")
            }
            var payload = packet.payload
            switch kind {
            case .h264: payload = try rekeyed(picture: payload)
            case .aac, .ac3, .eac3: try rekey(&payload, of: kind)
            case .hevc, .mpegAudio, .timedID3: break
            }
            units.append(
                TransportAccessUnit(
                    decodeTime: start + distance,
                    presentationTime: start + TransportTime.distance(from: start, to: presentationTime),
                    // Frames are in packets already; the last one tells how long the clock continues.
                    duration: index > 0 && index == packets.count - 1 ? distance - last : 0,
                    isRandomAccess: packet.isRandomAccess,
                    pieces: [payload]
                )
            )
            last = distance
        }
        return units
    }

    private mutating func rekeyed(picture: ByteBuffer) throws -> ByteBuffer {
        var accessUnit = ByteBuffer()
        var nalUnits = NALUnits(picture.readableBytesSpan, framing: .startCodes)
        while let nalUnit = try nalUnits.next() {
            var coded = ByteBuffer()
            coded.writeBytes(nalUnit)
            let clear = try old.decrypted(nalUnit: coded)
            accessUnit.writeInteger(UInt32(clear.readableBytes))
            accessUnit.writeImmutableBuffer(clear)
        }
        var rekeyed = ByteBuffer()
        rekeyed.reserveCapacity(accessUnit.readableBytes)
        try new.write(accessUnit: accessUnit, to: &rekeyed)
        return rekeyed
    }

    /// Frames that follow each other, in place.
    private mutating func rekey(_ frames: inout ByteBuffer, of kind: ElementaryStream.Kind) throws {
        let syntax: AudioFrameSyntax = kind == .aac ? .adts : .dolby
        var index = frames.readerIndex
        while index < frames.writerIndex {
            let rest = frames.getSlice(at: index, length: frames.writerIndex - index) ?? ByteBuffer()
            // Timed metadata between frames is in the clear.
            if let tag = rest.leadingTagLength {
                index += tag
                continue
            }
            let length = try syntax.frameLength(in: rest.readableBytesSpan)
            switch kind {
            case .aac:
                // ISO/IEC 14496-3 § 1.A.2.2: protection_absent is the last bit of the second byte.
                let header = rest.getInteger(at: rest.readerIndex + 1, as: UInt8.self).map { $0 & 1 == 1 ? 7 : 9 } ?? 7
                try old.encryptAAC(&frames, at: index + header, length: length - header)
                try new.encryptAAC(&frames, at: index + header, length: length - header)
            case .ac3:
                try old.encryptAC3(&frames, at: index, length: length)
                try new.encryptAC3(&frames, at: index, length: length)
            default:
                try old.encryptEAC3(&frames, at: index, length: length)
                try new.encryptEAC3(&frames, at: index, length: length)
            }
            index += length
        }
    }
}

extension ByteBuffer {
    /// The bytes of the ID3 tag at the beginning (ID3v2.4 § 3.1); nil if there is none.
    fileprivate var leadingTagLength: Int? {
        guard readableBytes >= 10, getString(at: readerIndex, length: 3) == "ID3",
            let size = getBytes(at: readerIndex + 6, length: 4)
        else { return nil }
        // Four times seven bits (§ 6.2).
        let length = size.reduce(0) { $0 << 7 | Int($1 & 0x7F) }
        return min(10 + length, readableBytes)
    }
}

extension ElementaryStream {
    /// Makes the stream that a program map announces, where SAMPLE-AES is defined for it; nil if it is not.
    fileprivate init?(_ stream: ParsedProgramMap.Stream) {
        // MPEG-2 Stream Encryption Format for HTTP Live Streaming § 2.3.1
        let kinds: [UInt8: Kind] = [0xDB: .h264, 0xCF: .aac, 0xC1: .ac3, 0xC2: .eac3, 0x15: .timedID3]
        guard let kind = kinds[stream.type] else { return nil }
        let body = { (tag: UInt8) in stream.descriptors.first { $0.tag == tag }?.body }
        let language = body(0x0A)
        self.init(
            kind,
            language: language.map { String(decoding: $0.prefix(3), as: UTF8.self) },
            isAudioDescription: language?.last == 3,
            isEncrypted: kind != .timedID3,
            audioSetup: body(0x05).flatMap(AudioSetupInformation.init)
        )
    }
}

extension AudioSetupInformation {
    /// § 2.3.2, in a registration descriptor: its identifier, the type, priming, the version, and data behind their
    /// length.
    fileprivate init?(registration body: [UInt8]) {
        guard body.count > 12, body.starts(with: "apad".utf8) else { return nil }
        let code = body[4..<8].reduce(0) { $0 << 8 | UInt32($1) }
        guard let type = AudioType(FourCC(code)) else { return nil }
        self.init(type, setupData: Array(body[12...].prefix(Int(body[11]))))
    }
}

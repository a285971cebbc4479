import CFairPlayProvider
import ContentProtection
package import FairPlay
import FairPlayTestProvider
import Foundation
import MediaCore
package import NIOCore
import TestSupport

/// A device that asks for content keys: everything but the secret step is as the protocol has it, and that is made up.
package struct TestDevice {
    package var version: SPCVersion
    package var credentials: TestCredentials
    package var assetID = Array("skd://live/1/video".utf8)
    package var transactionID: UInt64 = 0x0123_4567_89AB_CDEF
    /// All TLLVs of the payload in their order; a test may change them.
    package var fields: [TestField]

    package let sessionKey: [UInt8]
    package let hu: [UInt8]
    package let r1: [UInt8]
    package let r2: [UInt8]
    package let antiReplaySeed: [UInt8]
    private let messageKey: [UInt8]
    private let iv: [UInt8]

    /// The fields that it wants back.
    package static let echoed: [TLLVTag] = [
        .transactionID, .assetID, .protocolVersionUsed, .protocolVersionsSupported, .mediaPlaybackState, .capabilities,
        .unknown,
    ]

    package static let allCapabilities: DeviceCapabilities = [
        .hdcpType1, .offlineKey, .checkIn, .offlineKeyWithTitle, .securityLevelBaseline, .securityLevelMain,
    ]

    /// - Parameters:
    ///   - version: Of its SPCs.
    ///   - credentials: Nil for those that suit the version.
    ///   - seed: Devices of different seeds have different secrets.
    /// - Throws: If OpenSSL or a file fails.
    package init(_ version: SPCVersion, _ credentials: TestCredentials? = nil, seed: UInt64 = 1) throws {
        var generator = SeededGenerator(seed: seed)
        self.version = version
        self.credentials = credentials ?? (version == .one ? .bits1024 : .bits2048)
        sessionKey = generator.bytes(16)
        hu = generator.bytes(20)
        r1 = generator.bytes(44)
        r2 = generator.bytes(21)
        antiReplaySeed = generator.bytes(16)
        messageKey = generator.bytes(16)
        iv = generator.bytes(16)
        let secret = sessionKey + hu + r1
        let integrity = Array(try TestCryptography.digest("SHA256", secret).prefix(16))
        let secretKey = try Self.secretKey(self.credentials, r2: r2)
        let secretIV = generator.bytes(16)
        let wrapped =
            secretIV + (try TestCryptography.cbc(.encrypting, secret + integrity, key: secretKey, iv: secretIV))
        fields = [
            TestField(.unknown, Array("echoed as it is".utf8), extraBlocks: 2),
            TestField(.sessionKeyR1, wrapped),
            TestField(.integrity, integrity, extraBlocks: 1),
            TestField(.antiReplaySeed, antiReplaySeed),
            TestField(.r2, r2),
            TestField(.returnRequest, Self.echoed.flatMap(\.rawValue.bytes)),
            TestField(.assetID, assetID),
            TestField(.transactionID, transactionID.bytes),
            TestField(.protocolVersionsSupported, [1, 2].flatMap { (version: UInt32) in version.bytes }),
            TestField(.protocolVersionUsed, UInt32(1).bytes, extraBlocks: 3),
            TestField(
                .mediaPlaybackState,
                UInt32(1_795_000_000).bytes + MediaPlaybackState.State.ready.rawValue.bytes + UInt64(7).bytes
            ),
            TestField(.capabilities, UInt64(0).bytes + Self.allCapabilities.rawValue.bytes),
        ]
    }

    /// Sets the value of a TLLV, or takes it away.
    package subscript(tag: TLLVTag) -> [UInt8]? {
        get { fields.first { $0.tag == tag }?.value }
        set {
            let index = fields.firstIndex { $0.tag == tag }
            switch (index, newValue) {
            case (let index?, let value?): fields[index].value = value
            case (let index?, nil): fields.remove(at: index)
            case (nil, let value?): fields.append(TestField(tag, value))
            case (nil, nil): break
            }
        }
    }

    /// Adds a session key of the video decoder, which is the same as the generic one.
    package mutating func addVideoSessionKey() {
        self[.videoSessionKeyR1] = self[.sessionKeyR1]
        self[.videoR2] = r2
    }

    /// An SPC with the fields, or with another payload of whole blocks.
    package func spc(payload: [UInt8]? = nil) throws -> ByteBuffer {
        let payload = payload ?? fields.flatMap { $0.bytes.map(\.byte) }
        let certificate = try credentials.certificate()
        let wrapped = try TestCryptography.wrap(
            messageKey,
            certificate: certificate,
            digest: version == .one ? "SHA1" : "SHA256"
        )
        let head = version.rawValue.bytes + [0, 0, 0, 0]
        guard version == .three else {
            let hash = try TestCryptography.digest("SHA1", certificate)
            let encrypted = try TestCryptography.cbc(.encrypting, payload, key: messageKey, iv: iv)
            return ByteBuffer(bytes: head + iv + wrapped + hash + UInt32(payload.count).bytes + encrypted)
        }
        let derive = { (seed: String) in try TestCryptography.cbc(.encrypting, Array(seed.utf8), key: messageKey) }
        let encrypted = try TestCryptography.cbc(
            .encrypting,
            payload,
            key: derive("seed of the key."),
            iv: derive("seed of the iv..")
        )
        let hash = try TestCryptography.digest("SHA256", certificate)
        let length = [UInt8](repeating: 0, count: 12) + UInt32(payload.count).bytes
        let authenticated = wrapped + hash + length + encrypted
        let code = try TestCryptography.cmac(authenticated, key: derive("seed of the mac."))
        return ByteBuffer(bytes: head + Array("protocol of test".utf8) + authenticated + code)
    }

    /// Reads a CKC as only this device can; nil for one that it does not take: it is damaged, or does not repeat what was
    /// asked for.
    package func open(_ ckc: ByteBuffer) throws -> TestLicense? {
        var rest = ckc
        guard let (version, _) = rest.readMultipleIntegers(as: (UInt32, UInt32).self),
            let iv = rest.readBytes(length: 16),
            let length: UInt32 = rest.readInteger(), let payload = rest.readBytes(length: Int(length)),
            rest.readableBytes == 0
        else { return nil }
        let seedKey = Array(try TestCryptography.digest("SHA1", r1).prefix(16))
        let key = try TestCryptography.cbc(.encrypting, antiReplaySeed, key: seedKey)
        let clear = try TestCryptography.cbc(.decrypting, payload, key: key, iv: iv)
        guard let list = try? TLLV.list(in: ByteBuffer(bytes: clear)) else { return nil }
        let values = Dictionary(uniqueKeysWithValues: list.map { ($0.tag, Array($0.value.readableBytesView)) })
        guard values[.r1] == r1, let wrapped = values[.encryptedContentKey], wrapped.count == 32,
            Self.echoed.allSatisfy({ self[$0] == nil || values[$0] == self[$0] })
        else { return nil }
        guard let contentIV = Bytes16(wrapped.prefix(16)),
            let contentKey = Bytes16(
                try TestCryptography.cbc(.decrypting, Array(wrapped.suffix(16)), key: sessionKey)
            )
        else { return nil }
        return TestLicense(version: version, contentKey: contentKey, iv: contentIV, values: values)
    }

    private static func secretKey(_ credentials: TestCredentials, r2: [UInt8]) throws -> [UInt8] {
        let bytes = Array("packager test provider".utf8) + credentials.provisioningData + r2
        return Array(try TestCryptography.digest("SHA256", bytes).prefix(16))
    }
}

extension TLLVTag {
    /// One that no version of the protocol has.
    package static let unknown = Self(rawValue: 0x0BAD_CAFE_0BAD_CAFE)
}

extension FairPlayProvider {
    /// The test provider as it is linked in.
    package static func linked() throws -> FairPlayProvider {
        let table = fairplay_test_provider()?.assumingMemoryBound(to: packager_fairplay_provider.self)
        return try FairPlayProvider(table, path: "linked")
    }
}

import CFairPlayProvider
import ContentProtection
import FairPlay
import FairPlaySupport
import Foundation
import MediaCore
import NIOCore
import TestSupport
import Testing

/// Requests from a device to the key security module, and the answers.
@Suite struct ClosedLoopTests {
    @Test(arguments: SPCVersion.allCases)
    func aDeviceGetsTheKeyItAsksFor(version: SPCVersion) throws {
        let device = try TestDevice(version)
        let answer = try KeySecurityModule.test().answer(try device.spc())
        let license = try #require(try device.open(answer.ckc))
        #expect(license.contentKey == KeyGrant.key)
        #expect(license.iv == KeyGrant.iv)
        #expect(license.version == 1)
        #expect(answer.deviceID == device.hu)
        #expect(Set(license.values.keys) == Set(TestDevice.echoed + [.encryptedContentKey, .r1]))
    }

    @Test func noOtherDeviceReadsTheAnswer() throws {
        let answer = try KeySecurityModule.test().answer(try TestDevice(.two).spc())
        #expect(try TestDevice(.two, seed: 2).open(answer.ckc) == nil)
    }

    @Test func twoAnswersToOneRequestHaveNothingInCommon() throws {
        let spc = try TestDevice(.one).spc()
        let module = try KeySecurityModule.test()
        let (first, second) = (try module.answer(spc).ckc, try module.answer(spc).ckc)
        #expect(first.getSlice(at: 28, length: 16) != second.getSlice(at: 28, length: 16))
    }

    @Test(arguments: [TestCredentials.bits2048, .bits2048Next])
    func twoCertificatesAreValidAtOnce(credentials: TestCredentials) throws {
        for version in [SPCVersion.two, .three] {
            let license = try KeySecurityModule.test().license(for: TestDevice(version, credentials))
            #expect(license.contentKey == KeyGrant.key)
        }
    }

    @Test func fieldsComeInAnyOrder() throws {
        var device = try TestDevice(.two)
        device.fields.reverse()
        #expect(try KeySecurityModule.test().license(for: device).contentKey == KeyGrant.key)
    }

    @Test func whatIsAskedBackManyTimesComesOnce() throws {
        var device = try TestDevice(.two)
        device[.unknown] = [UInt8](repeating: 1, count: 8000)
        device[.returnRequest] = (0..<1000).flatMap { _ in TestDevice.echoed.flatMap(\.rawValue.bytes) }
        let answer = try KeySecurityModule.test().answer(try device.spc())
        #expect(answer.ckc.readableBytes < 12_000)
        #expect(try device.open(answer.ckc)?.values[.unknown]?.count == 8000)
    }

    @Test func theDeviceIsRead() throws {
        var device = try TestDevice(.two)
        device[.streamingIndicator] = (0xabb0_256a_3184_3974 as UInt64).bytes
        device[.securityLevelReport] =
            UInt32(1).bytes + UInt32(0).bytes + SecurityLevel.main.code.bytes + UInt32(0).bytes
        device[.offlineSync] =
            UInt32(2).bytes + UInt32(0).bytes + UInt64(9).bytes + UInt64(1 << 16).bytes
            + Bytes16(high: 5, low: 6).bytes + UInt32(3600).bytes + UInt32(1).bytes + Bytes16(high: 7, low: 8).bytes
        var read: ServerPlaybackContext?
        _ = try KeySecurityModule.test().answer(try device.spc()) {
            read = $0
            return .test()
        }
        let spc = try #require(read)
        #expect(spc.version == .two)
        #expect(spc.protocolVersion == 1)
        #expect(spc.assetID == device.assetID)
        #expect(spc.transactionID == device.transactionID)
        #expect(spc.destination == .airPlay)
        #expect(spc.capabilities == TestDevice.allCapabilities)
        #expect(spc.securityLevel == .main)
        #expect(spc.playbackState?.state == .ready)
        #expect(spc.playbackState?.creationDate == 1_795_000_000)
        #expect(spc.playbackState?.sessionID == 7)
        let sync = try #require(spc.offlineSync)
        #expect(sync.challenge == 9)
        #expect(sync.flags == .success)
        #expect(sync.contentID == Bytes16(high: 5, low: 6))
        #expect(sync.secondsToExpiry == 3600)
        #expect(sync.invalidatedStreamIDs == [Bytes16(high: 7, low: 8)])
        #expect(spc[.unknown] == ByteBuffer(string: "echoed as it is"))
    }

    @Test func aVideoDecoderHasASessionKeyOfItsOwn() throws {
        var device = try TestDevice(.three)
        device.addVideoSessionKey()
        let license = try KeySecurityModule.test().license(for: device)
        #expect(license.contentKey == KeyGrant.key)
        #expect(license.version == 2)
        #expect(
            license.values[.sessionKeyUsed] == UInt32(1).bytes + UInt32(0).bytes + UInt64(0x02a6_9d25_f4b9_4c7c).bytes
        )
        // Audio is decoded elsewhere.
        let answer = try KeySecurityModule.test().answer(try device.spc()) { _ in .test(KeyTerms(), .audio) }
        let audio = try #require(try device.open(answer.ckc))
        #expect(audio.version == 1)
        #expect(
            audio.values[.sessionKeyUsed] == UInt32(1).bytes + UInt32(0).bytes + UInt64(0x182b_0bb9_f373_83d1).bytes
        )
    }

    @Test func nothingSecretTurnsIntoText() throws {
        let device = try TestDevice(.two)
        var texts: [String] = []
        func add(_ value: Any) {
            texts += ["\(value)", String(reflecting: value)]
            var dumped = ""
            dump(value, to: &dumped)
            texts.append(dumped)
        }
        let answer = try KeySecurityModule.test().answer(try device.spc()) {
            add($0)
            return .test()
        }
        add(answer)
        add(KeyGrant.test())
        for credentials in TestCredentials.allCases { add(try credentials.applicationCertificate()) }
        let secrets =
            [device.sessionKey, device.r1, device.antiReplaySeed, KeyGrant.key.bytes, device[.sessionKeyR1] ?? []]
            + TestCredentials.allCases.map(\.provisioningData)
        for text in texts {
            for secret in secrets {
                #expect(!text.contains(secret.prefix(8).hex))
                #expect(!text.contains(secret.prefix(4).map(String.init).joined(separator: ", ")))
                #expect(!text.contains(String(decoding: secret, as: UTF8.self)))
            }
        }
    }
}

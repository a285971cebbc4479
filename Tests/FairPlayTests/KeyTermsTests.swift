import FairPlay
import FairPlaySupport
import MediaCore
import NIOCore
import TestSupport
import Testing

/// The terms in a CKC, and the devices that get none.
@Suite struct KeyTermsTests {
    private static let reserved: UInt32 = 0x86d3_4a3a
    private static let streamID = Bytes16(high: 0x11, low: 0x12)
    private static let titleID = Bytes16(high: 0x21, low: 0x22)

    private static func duration(_ lease: UInt32, _ rental: UInt32, _ kind: UInt32) -> [UInt8] {
        [lease, rental, kind, reserved].flatMap(\.bytes)
    }

    @Test(
        arguments: [
            (.lease(seconds: 60), duration(60, 0, 0x1a4b_de7e)),
            (.rental(seconds: 7200), duration(.max, 7200, 0x3dfe_45a0)),
            (.leaseAndRental(lease: 60, rental: 7200), duration(60, 7200, 0x27b5_9bde)),
        ] as [(KeyTerms.Validity, [UInt8])]
    )
    func durationsOfStreams(validity: KeyTerms.Validity, expected: [UInt8]) throws {
        for version in SPCVersion.allCases {
            let device = try TestDevice(version)
            let license = try KeySecurityModule.test().license(for: device, terms: KeyTerms(validity: validity))
            #expect(license.values[.keyDuration] == expected)
            #expect(license.values[.offlineKey] == nil)
            #expect(license.contentKey == KeyGrant.key)
        }
    }

    @Test func aSessionHasNoDuration() throws {
        let license = try KeySecurityModule.test().license(for: TestDevice(.one))
        #expect(license.values[.keyDuration] == nil)
        #expect(license.values[.hdcp] == nil)
        #expect(license.values[.securityLevel] == nil)
    }

    @Test(arguments: [.lease(seconds: 60), .rental(seconds: 60)] as [KeyTerms.Validity])
    func aDeviceWithoutPlaybackStateHoldsNoDuration(validity: KeyTerms.Validity) throws {
        var device = try TestDevice(.two)
        device[.mediaPlaybackState] = nil
        device[.returnRequest] = TLLVTag.transactionID.rawValue.bytes
        let spc = try device.spc()
        #expect(throws: FairPlayError.unenforceable(.duration)) {
            try KeySecurityModule.test().answer(spc, terms: KeyTerms(validity: validity))
        }
        #expect(throws: Never.self) { try KeySecurityModule.test().answer(spc) }
    }

    @Test(
        arguments: [
            .lease(seconds: 0), .lease(seconds: .max), .rental(seconds: 0), .leaseAndRental(lease: 1, rental: 0),
            .leaseAndRental(lease: 0, rental: 1),
        ] as [KeyTerms.Validity]
    )
    func secondsThatMeanSomethingElseAreRefused(validity: KeyTerms.Validity) throws {
        let spc = try TestDevice(.two).spc()
        #expect {
            try KeySecurityModule.test().answer(spc, terms: KeyTerms(validity: validity))
        } throws: {
            ($0 as? FairPlayError)?.number == -42585
        }
    }

    /// An offline key as devices of these capabilities get it.
    private func offline(
        _ validity: KeyTerms.OfflineValidity,
        _ capabilities: DeviceCapabilities
    ) throws -> [TLLVTag: [UInt8]] {
        var device = try TestDevice(.two)
        device[.capabilities] = UInt64(0).bytes + capabilities.rawValue.bytes
        return try KeySecurityModule.test().license(for: device, terms: KeyTerms(validity: .offline(validity))).values
    }

    @Test func anOfflineKeyHasTwoDurations() throws {
        let validity = KeyTerms.OfflineValidity(
            storageSeconds: 86_400,
            playbackSeconds: 7200,
            streamID: Self.streamID,
            titleID: Self.titleID
        )
        let one: [UInt8] =
            UInt32(1).bytes + UInt32(0).bytes + Self.streamID.bytes + UInt32(86_400).bytes + UInt32(7200).bytes
        let two: [UInt8] =
            UInt32(2).bytes + UInt32(0).bytes + Self.streamID.bytes + UInt32(86_400).bytes + UInt32(7200).bytes
            + Self.titleID.bytes
        #expect(try offline(validity, [.offlineKey])[.offlineKey] == one)
        #expect(try offline(validity, [.offlineKey, .offlineKeyWithTitle])[.offlineKey] == two)
        #expect(try offline(validity, [.offlineKeyWithTitle])[.keyDuration] == nil)
        let untitled = KeyTerms.OfflineValidity(
            storageSeconds: 86_400,
            playbackSeconds: 7200,
            streamID: Self.streamID
        )
        #expect(try offline(untitled, [.offlineKeyWithTitle])[.offlineKey] == one)
    }

    @Test func anOlderDeviceGetsTheDurationThatItKnows() throws {
        let limited = try offline(KeyTerms.OfflineValidity(storageSeconds: 86_400), [])
        #expect(limited[.keyDuration] == Self.duration(.max, 86_400, 0x18f0_6048))
        let unlimited = try offline(KeyTerms.OfflineValidity(), [])
        #expect(unlimited[.keyDuration] == Self.duration(.max, 0, 0x3df2_d9fb))
        #expect(throws: FairPlayError.unenforceable(.playbackDuration)) {
            try offline(KeyTerms.OfflineValidity(storageSeconds: 86_400, playbackSeconds: 1), [])
        }
    }

    @Test func anOfflineKeyNeedsNoPlaybackState() throws {
        var device = try TestDevice(.two)
        device[.mediaPlaybackState] = nil
        device[.returnRequest] = []
        let terms = KeyTerms(validity: .offline(KeyTerms.OfflineValidity()))
        let ckc = try KeySecurityModule.test().answer(try device.spc(), terms: terms).ckc
        #expect(ckc.readableBytes > 28)
    }

    @Test(
        arguments: [(0xabb0_256a_3184_3974, .airPlay), (0x5f9c_8132_b59f_2fde, .adapter)]
            as [(UInt64, PlaybackDestination)]
    )
    func aKeyIsStoredOnlyWhereItIsPlayed(indicator: UInt64, destination: PlaybackDestination) throws {
        var device = try TestDevice(.two)
        device[.streamingIndicator] = indicator.bytes
        let spc = try device.spc()
        #expect(throws: FairPlayError.offlineKeyElsewhere(destination)) {
            try KeySecurityModule.test().answer(
                spc,
                terms: KeyTerms(validity: .offline(KeyTerms.OfflineValidity()))
            )
        }
        let lease = try KeySecurityModule.test().license(for: device, terms: KeyTerms(validity: .lease(seconds: 60)))
        #expect(lease.values[.keyDuration] != nil)
        device[.streamingIndicator] = UInt64(5).bytes
        #expect(throws: Never.self) {
            try KeySecurityModule.test().license(
                for: device,
                terms: KeyTerms(validity: .offline(KeyTerms.OfflineValidity()))
            )
        }
    }

    @Test(
        arguments: [
            (.notRequired, 0xef72_894c_a789_5b78), (.type0, 0x4079_1ac7_8bd5_c571), (.type1, 0x285a_0863_bba8_e1d3),
        ] as [(KeyTerms.HDCP, UInt64)]
    )
    func hdcp(hdcp: KeyTerms.HDCP, code: UInt64) throws {
        let terms = KeyTerms(hdcp: hdcp)
        let license = try KeySecurityModule.test().license(for: TestDevice(.two), terms: terms)
        #expect(license.values[.hdcp] == code.bytes + UInt64(0).bytes)
        var old = try TestDevice(.two)
        old[.capabilities] = nil
        old[.returnRequest] = []
        let spc = try old.spc()
        if hdcp == .type1 {
            #expect(throws: FairPlayError.unenforceable(.hdcpType1)) {
                try KeySecurityModule.test().answer(spc, terms: terms)
            }
        } else {
            #expect(throws: Never.self) { try KeySecurityModule.test().answer(spc, terms: terms) }
        }
    }

    private func securityLevel(
        _ level: SecurityLevel,
        reported: SecurityLevel?,
        _ capabilities: DeviceCapabilities
    ) throws -> [UInt8]? {
        var device = try TestDevice(.two)
        device[.capabilities] = UInt64(0).bytes + capabilities.rawValue.bytes
        device[.securityLevelReport] = reported.map {
            UInt32(1).bytes + UInt32(0).bytes + $0.code.bytes + UInt32(0).bytes
        }
        return try KeySecurityModule.test().license(for: device, terms: KeyTerms(securityLevel: level))
            .values[.securityLevel]
    }

    @Test func securityLevels() throws {
        let main = UInt32(1).bytes + UInt32(0).bytes + SecurityLevel.main.code.bytes
        #expect(try securityLevel(.main, reported: .main, []) == main)
        #expect(try securityLevel(.main, reported: nil, [.securityLevelBaseline, .securityLevelMain]) == main)
        // Older devices say nothing of it.
        #expect(try securityLevel(.main, reported: nil, []) == main)
        #expect(try securityLevel(.audio, reported: .baseline, []) != nil)
        #expect(throws: FairPlayError.unenforceable(.securityLevel)) {
            try securityLevel(.main, reported: .baseline, [.securityLevelMain])
        }
        #expect(throws: FairPlayError.unenforceable(.securityLevel)) {
            try securityLevel(.main, reported: nil, [.securityLevelBaseline])
        }
    }
}

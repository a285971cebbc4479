import FairPlay
import FairPlaySupport
import MediaCore
import NIOCore
import TestSupport
import Testing

/// Every way in which an SPC can be wrong has an error of its own.
@Suite struct RefusalTests {
    private func error(_ spc: ByteBuffer, _ credentials: [TestCredentials]) throws -> FairPlayError? {
        try error(spc, KeySecurityModule.test(credentials))
    }

    private func error(_ spc: ByteBuffer, _ module: KeySecurityModule? = nil) throws -> FairPlayError? {
        let module = try module ?? .test()
        do throws(FairPlayError) {
            _ = try module.answer(spc)
            return nil
        } catch {
            return error
        }
    }

    /// The error for a device whose fields are changed.
    private func error(_ change: (inout TestDevice) -> Void) throws -> FairPlayError? {
        var device = try TestDevice(.two)
        change(&device)
        return try error(device.spc())
    }

    @Test func otherBodiesAreNoSPC() throws {
        #expect(try error(ByteBuffer()) == .empty)
        #expect(try error(ByteBuffer(repeating: 1, count: 65_537)) == .oversized(bytes: 65_537))
        let certificate = try TestCredentials.bits2048.certificate()
        #expect(try error(ByteBuffer(bytes: certificate)) == .certificatePosted)
        #expect(try error(ByteBuffer(string: "AAAAAQAAAAA=")) == .unknownVersion(0x4141_4141))
        #expect(try error(ByteBuffer(integer: UInt32(4))) == .unknownVersion(4))
        #expect(FairPlayError.certificatePosted.number == -42580)
        #expect(FairPlayError.certificatePosted.description.hasSuffix("(-42580)"))
    }

    @Test(arguments: SPCVersion.allCases)
    func truncatedSPCIsRefused(version: SPCVersion) throws {
        let spc = try TestDevice(version).spc()
        let header = version == .one ? 176 : version == .two ? 304 : 328
        let module = try KeySecurityModule.test()
        for length in 1..<spc.readableBytes {
            let cut = try #require(spc.getSlice(at: spc.readerIndex, length: length))
            let error = try #require(try error(cut, module))
            #expect(error.number == -42581)
            if length < header {
                #expect(error == .truncated(bytes: length))
            } else {
                guard case .payloadMismatch = error else {
                    Issue.record("\(length) bytes: \(error)")
                    continue
                }
            }
        }
        var longer = spc
        longer.writeInteger(UInt8(0))
        guard case .payloadMismatch = try error(longer) else {
            Issue.record("a byte too many")
            return
        }
    }

    @Test(arguments: [0, 15, 17] as [UInt32])
    func payloadOfPartialBlocksIsRefused(length: UInt32) throws {
        var spc = try TestDevice(.two).spc()
        spc.setInteger(length, at: 300)
        #expect(try error(spc) == .payloadLength(length))
    }

    @Test func spcOfAnotherCertificateIsRefused() throws {
        let spc = try TestDevice(.two, .bits2048Next).spc()
        guard case .unknownCertificate = try error(spc, [.bits1024, .bits2048]) else {
            Issue.record("it has no key for it")
            return
        }
        #expect(try error(TestDevice(.two).spc().changed(at: 30)) == .unwrapping)
        // A certificate of 2048 bits unwraps no key of version 1.
        #expect(try error(TestDevice(.one, .bits2048Next).spc()) != nil)
    }

    @Test func fieldsBeyondTheirBlockAreRefused() throws {
        #expect(try error { $0.fields[0].blockLength = 17 } == .blockLength(.unknown, 17))
        #expect(
            try error { $0.fields[0].valueLength = 1000 } == .valueBeyondBlock(.unknown, value: 1000, block: 48)
        )
        let beyond = try error { $0.fields[$0.fields.count - 1].blockLength = 160 }
        #expect(beyond == .blockBeyondEnd(.capabilities, block: 160, rest: 16))
        #expect(try error { $0.fields.append($0.fields[0]) } == .duplicateTag(.unknown))
        var device = try TestDevice(.two)
        device.fields = []
        #expect(try error(device.spc(payload: [UInt8](repeating: 0, count: 16))) == .missingTag(.sessionKeyR1))
    }

    @Test(
        arguments: [
            .sessionKeyR1, .integrity, .antiReplaySeed, .r2, .returnRequest, .assetID, .transactionID,
            .protocolVersionsSupported, .protocolVersionUsed,
        ] as [TLLVTag]
    )
    func missingRequiredTagIsRefused(tag: TLLVTag) throws {
        let missing = try error {
            $0[tag] = nil
            // What is asked back would be missing as well.
            if tag != .returnRequest { $0[.returnRequest] = [] }
        }
        #expect(missing == .missingTag(tag))
        #expect(missing?.number == -42583)
        let length = try error { $0[tag] = ($0[tag] ?? []) + [UInt8](repeating: 0, count: 201) }
        guard case .valueLength(tag, _) = length else {
            Issue.record("\(tag): \(String(describing: length))")
            return
        }
    }

    @Test func returnRequestOfAMissingTagIsRefused() throws {
        #expect(try error { $0[.unknown] = nil } == .missingTag(.unknown))
    }

    @Test(arguments: [.keyDuration, .r1, .encryptedContentKey, .hdcp, .offlineKey, .securityLevel] as [TLLVTag])
    func noDeviceSetsItsOwnTerms(tag: TLLVTag) throws {
        let error = try error {
            $0[tag] = [UInt8](repeating: 0, count: 16)
            $0[.returnRequest] = tag.rawValue.bytes
        }
        #expect(error == .tagOfServer(tag))
    }

    @Test func unsupportedProtocolVersionIsRefused() throws {
        #expect(
            try error { $0[.protocolVersionUsed] = UInt32(3).bytes } == .protocolVersion(used: 3, supported: [1, 2])
        )
        // The plug-in knows which versions it can.
        let provider = try error { $0[.protocolVersionUsed] = UInt32(2).bytes }
        #expect(provider == .provider(status: -42590))
        #expect(provider?.number == -42590)
    }

    @Test func wrongIntegrityIsRefused() throws {
        let other = try error { $0[.integrity] = [UInt8](repeating: 1, count: 16) }
        #expect(other == .integrity)
        #expect(other?.number == -42589)
        #expect(try error { $0[.r2] = [UInt8](repeating: 1, count: 21) } == .integrity)
    }

    @Test func unknownAssetIsRefused() throws {
        let error = try error { $0[.assetID] = Array("other\n".utf8) }
        #expect(error == .keyNotFound(assetID: Array("other\n".utf8)))
        #expect(error?.description == #"there is no key for the asset "other\n" (-42584)"#)
    }

    @Test func version3() throws {
        let spc = try TestDevice(.three).spc()
        var other = spc
        other.setInteger(UInt64(0), at: 8)
        guard case .unknownProtocol = try error(other) else {
            Issue.record("its protocol is another")
            return
        }
        #expect(try error(spc.changed(at: 400)) == .authentication)
        #expect(try error(spc.changed(at: spc.readableBytes - 1)) == .authentication)
    }
}

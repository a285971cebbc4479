import MediaCore
package import NIOCore

/// A device's request for a content key (SPC), decrypted, and verified except for checks that need Apple's secrets.
///
/// No description, dump or interpolation of it shows more than the asset and the transaction.
package struct ServerPlaybackContext: Sendable {
    package let version: SPCVersion
    /// The certificate that it was made for.
    let certificate: ApplicationCertificate
    /// Version of the protocol that the device used.
    package let protocolVersion: UInt32
    /// The name of the key in the playlist behind `skd://`, as the application made it: 2 to 200 bytes.
    package let assetID: [UInt8]
    package let transactionID: UInt64
    package let destination: PlaybackDestination
    /// The state of the playback; nil from a device that supports neither leases nor rentals.
    package let playbackState: MediaPlaybackState?
    package let capabilities: DeviceCapabilities
    /// The device's security level; nil from older ones.
    package let securityLevel: SecurityLevel?
    package let offlineSync: OfflineSync?
    /// The seed that, with R1, gives the key that the CKC is encrypted with.
    let antiReplaySeed: Bytes16
    /// The fields that the CKC repeats byte for byte, in the order in which the device asked for them.
    let echoes: [TLLV]

    private let values: [TLLVTag: ByteBuffer]

    /// The value of a TLLV, of one that is not known here as well.
    package subscript(tag: TLLVTag) -> ByteBuffer? { values[tag] }

    /// True if the device has a session key for its video decoder.
    var hasVideoSessionKey: Bool { values[.videoSessionKeyR1] != nil && values[.videoR2] != nil }

    /// Reads and verifies an SPC.
    ///
    /// - Parameters:
    ///   - spc: The bytes of the device, without base64 and without a form around them.
    ///   - certificates: All that are valid now.
    ///   - spc3: The values that open version 3; nil if it is refused.
    /// - Throws: ``FairPlayError`` if it is no SPC, is damaged or incomplete, or is for another certificate.
    init(
        reading spc: ByteBuffer,
        certificates: [ApplicationCertificate],
        spc3: SPC3Parameters?
    ) throws(FairPlayError) {
        let container = try SPCContainer(spc)
        let (certificate, payload) = try container.open(certificates, spc3)
        let fields = try TLLV.list(in: payload)
        if let tag = fields.map(\.tag).first(where: TLLVTag.ofServers.contains) { throw .tagOfServer(tag) }
        let values = Dictionary(uniqueKeysWithValues: fields.map { ($0.tag, $0.value) })
        if let tag = TLLVTag.required.first(where: { values[$0] == nil }) { throw .missingTag(tag) }
        // Values have the lengths that their tags permit.
        func integers<T: FixedWidthInteger>(_ tag: TLLVTag, _ type: T.Type) -> [T] { values[tag]?.integers() ?? [] }

        let used = integers(.protocolVersionUsed, UInt32.self)[0]
        let supported = integers(.protocolVersionsSupported, UInt32.self)
        guard supported.contains(used) else { throw .protocolVersion(used: used, supported: supported) }
        var echoes: [TLLV] = []
        var repeated: Set<TLLVTag> = []
        for tag in integers(.returnRequest, UInt64.self).map(TLLVTag.init(rawValue:)) {
            guard let value = values[tag] else { throw .missingTag(tag) }
            // Once, however often it is asked for: else a small SPC could ask for a CKC of any size.
            if repeated.insert(tag).inserted { echoes.append(TLLV(tag, value)) }
        }
        guard let antiReplaySeed = values[.antiReplaySeed].flatMap({ Bytes16($0.readableBytesView) }) else {
            throw .missingTag(.antiReplaySeed)
        }

        version = container.version
        self.certificate = certificate
        protocolVersion = used
        assetID = values[.assetID].map { Array($0.readableBytesView) } ?? []
        transactionID = integers(.transactionID, UInt64.self)[0]
        destination = PlaybackDestination(indicator: integers(.streamingIndicator, UInt64.self).first)
        playbackState = values[.mediaPlaybackState].flatMap(MediaPlaybackState.init)
        capabilities = DeviceCapabilities(rawValue: integers(.capabilities, UInt64.self).last ?? 0)
        securityLevel = values[.securityLevelReport].flatMap(SecurityLevel.init(report:))
        offlineSync = values[.offlineSync].flatMap(OfflineSync.init)
        self.antiReplaySeed = antiReplaySeed
        self.echoes = echoes
        self.values = values
    }
}

extension ServerPlaybackContext: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String {
        "SPC \(version.rawValue) for \(String(reflecting: String(decoding: assetID, as: UTF8.self))), "
            + "transaction \(transactionID)"
    }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

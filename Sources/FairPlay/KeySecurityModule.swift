package import NIOCore

/// Answers requests of Apple devices for content keys (KSM): an SPC in, a CKC out, with no state between them.
///
/// It reads and verifies, applies terms, and encrypts. A ``FairPlayProvider`` takes the step that Apple keeps secret,
/// which wraps the content key for one device.
package struct KeySecurityModule: Sendable {
    package struct Answer: Sendable {
        /// The bytes for the device.
        package var ckc: ByteBuffer
        /// The identifier of the device, for counting devices (HU); 20 bytes, personal data if it is stored.
        package var deviceID: [UInt8]
    }

    private let certificates: [ApplicationCertificate]
    private let provider: FairPlayProvider

    /// - Parameters:
    ///   - certificates: All that are valid now: while one replaces another, both are in use.
    ///   - provider: The plug-in.
    package init(certificates: [ApplicationCertificate], provider: FairPlayProvider) {
        self.certificates = certificates
        self.provider = provider
    }

    /// Answers one SPC.
    ///
    /// - Parameters:
    ///   - spc: The bytes of the device, without base64 and without a form around them.
    ///   - grant: Returns the key for an asset ID, with its terms; nil if there is none, or none for this device.
    /// - Returns: The CKC, which differs each time.
    /// - Throws: ``FairPlayError``, with the number that Apple's own server would give.
    package func answer(
        _ spc: ByteBuffer,
        grant: (ServerPlaybackContext) -> KeyGrant?
    ) throws(FairPlayError) -> Answer {
        let request = try ServerPlaybackContext(reading: spc, certificates: certificates, spc3: provider.spc3)
        guard let grant = grant(request) else { throw .keyNotFound(assetID: request.assetID) }
        let terms = try grant.terms.fields(for: request)
        let wrapped = try provider.wrap(grant, for: request)
        let ckc = try ContentKeyContext.seal(
            wrapped.fields + request.echoes + terms,
            version: wrapped.isR1OfVideo ? 2 : 1,
            r1: wrapped.r1,
            antiReplaySeed: request.antiReplaySeed
        )
        return Answer(ckc: ckc, deviceID: wrapped.deviceID)
    }
}

extension KeySecurityModule.Answer: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "CKC of \(ckc.readableBytes) bytes" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

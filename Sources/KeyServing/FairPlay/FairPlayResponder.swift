import ContentProtection
package import FairPlay
package import MediaCore
import NIOCore

/// Answers Apple's devices: finds the key of a server playback context, and its terms.
package struct FairPlayResponder: Sendable {
    /// The operator's terms for keys where a token sets none.
    package struct Terms: Hashable, Sendable {
        /// The protection for all keys of video, which overrides the key source; audio needs none.
        package var videoHDCP: DisplayProtection?

        package init(videoHDCP: DisplayProtection? = nil) {
            self.videoHDCP = videoHDCP
        }
    }

    private let module: KeySecurityModule
    private let terms: Terms

    package init(_ module: KeySecurityModule, terms: Terms = Terms()) {
        self.module = module
        self.terms = terms
    }

    /// Answers one context.
    ///
    /// - Parameters:
    ///   - spc: As the device made it.
    ///   - gate: The keys that the viewer may have.
    ///   - isPersistent: True if the device is to store the key.
    ///   - onKey: Called with the key's ID.
    /// - Returns: A content key context, as the device takes it.
    func answer(
        _ spc: ByteBuffer,
        _ gate: KeyGate,
        isPersistent: Bool,
        onKey: (PeriodKey) -> Void
    ) -> Result<ByteBuffer, KeyRefusal> {
        var refusal: KeyRefusal?
        do throws(FairPlayError) {
            let answer = try module.answer(spc) { context in
                do throws(KeyRefusal) {
                    guard let keyID = Self.keyID(of: context.assetID) else { throw .unknownKey }
                    let key = try gate.key(keyID, for: [.fairplay])
                    onKey(key)
                    let terms = keyTerms(of: key, gate, isPersistent: isPersistent)
                    return KeyGrant(key: key, isCBCS: gate.keys.isCBCS, terms: terms)
                } catch {
                    refusal = error
                    return nil
                }
            }
            return .success(answer.ckc)
        } catch {
            return .failure(refusal ?? KeyRefusal(error))
        }
    }

    private func keyTerms(
        of key: PeriodKey,
        _ gate: KeyGate,
        isPersistent: Bool
    ) -> KeyTerms {
        let durations = gate.token?.durations
        var terms = KeyTerms(hdcp: displayProtection(of: key, gate).map { KeyTerms.HDCP($0) })
        switch (isPersistent, gate.leaseSeconds, durations?.rental) {
        case (true, _, _):
            terms.validity = .offline(
                KeyTerms.OfflineValidity(
                    storageSeconds: durations?.storage ?? 0,
                    playbackSeconds: durations?.playback ?? 0,
                    streamID: key.keyID.bytes
                )
            )
        case (false, let lease?, let rental?): terms.validity = .leaseAndRental(lease: lease, rental: rental)
        case (false, let lease?, nil): terms.validity = .lease(seconds: lease)
        case (false, nil, let rental?): terms.validity = .rental(seconds: rental)
        case (false, nil, nil): break
        }
        return terms
    }

    /// The protection that displays must have for a key: the operator's for all keys, or else that of the channel's
    /// playlists.
    ///
    /// A licence with higher demands would exclude players that the playlists admit.
    private func displayProtection(of key: PeriodKey, _ gate: KeyGate) -> DisplayProtection? {
        guard key.keyClass.isVideo else { return key.keyClass.displayProtection }
        if let protection = terms.videoHDCP { return protection }
        switch gate.keys.outputProtection {
        case .automatic: return key.displayProtection ?? key.keyClass.displayProtection
        case .none: return nil
        case .type0: return .type0
        case .type1: return .type1
        }
    }

    /// The key ID at the end of the text that follows `skd://`, in hexadecimal digits.
    private static func keyID(of assetID: [UInt8]) -> KeyID? {
        let name = String(decoding: assetID, as: UTF8.self).split(separator: "/").last
        return name.flatMap { Bytes16(hex: $0) }.map { KeyID($0) }
    }
}

extension KeyTerms.HDCP {
    fileprivate init(_ protection: DisplayProtection) {
        self =
            switch protection {
            case .none: .notRequired
            case .type0: .type0
            case .type1: .type1
            }
    }
}

extension KeyRefusal {
    init(_ error: FairPlayError) {
        let status =
            switch error {
            case .oversized: 413
            case .keyNotFound: 404
            case .seconds, .offlineKeyElsewhere, .unenforceable: 403
            case .provider, .providerAnswer, .openSSL: 502
            default: 400
            }
        self.init(status, "fairplay", error.answer, number: error.number)
        if error.answer != error.description { detail = error.description }
    }
}

import MediaCore
import NIOCore

extension KeyTerms {
    /// Returns the fields that tell these terms to the device that asks.
    ///
    /// - Throws: ``FairPlayError`` if the device could not hold it to them: then it gets no key.
    func fields(for spc: ServerPlaybackContext) throws(FairPlayError) -> [TLLV] {
        var fields: [TLLV] = []
        if let field = try validity.field(for: spc) { fields.append(field) }
        if let hdcp {
            guard hdcp != .type1 || spc.capabilities.contains(.hdcpType1) else { throw .unenforceable(.hdcpType1) }
            fields.append(TLLV(.hdcp, .integers(hdcp.rawValue, UInt64(0))))
        }
        if let securityLevel {
            guard spc.reaches(securityLevel) else { throw .unenforceable(.securityLevel) }
            fields.append(TLLV(.securityLevel, .integers(UInt32(1), UInt32(0), securityLevel.code)))
        }
        return fields
    }
}

extension KeyTerms.Validity {
    /// Kinds of content key durations.
    private enum Kind: UInt32 {
        case lease = 0x1a4b_de7e
        case rental = 0x3dfe_45a0
        case leaseAndRental = 0x27b5_9bde
        case persistent = 0x3df2_d9fb
        case persistentForTime = 0x18f0_6048
    }

    private static let noLease = UInt32.max

    fileprivate func field(for spc: ServerPlaybackContext) throws(FairPlayError) -> TLLV? {
        switch self {
        case .session: return nil
        case .lease(let seconds): return try duration(.lease, lease: seconds, rental: 0, for: spc)
        case .rental(let seconds): return try duration(.rental, lease: Self.noLease, rental: seconds, for: spc)
        case .leaseAndRental(let lease, let rental):
            return try duration(.leaseAndRental, lease: lease, rental: rental, for: spc)
        case .offline(let validity):
            // A key is stored on the device that asks, and nowhere that it shows the content.
            guard spc.destination == .device else { throw .offlineKeyElsewhere(spc.destination) }
            return try offlineKey(validity, for: spc)
        }
    }

    /// A duration that counts while the content is streamed.
    private func duration(
        _ kind: Kind,
        lease: UInt32,
        rental: UInt32,
        for spc: ServerPlaybackContext
    ) throws(FairPlayError) -> TLLV {
        let isValid = { (seconds: UInt32) in (1..<UInt32.max).contains(seconds) }
        guard kind == .rental || isValid(lease), kind == .lease || isValid(rental) else {
            throw .seconds(lease, rental)
        }
        // Only a device that says how far its playback is can hold a duration.
        guard spc.playbackState != nil else { throw .unenforceable(.duration) }
        return duration(kind, lease: lease, rental: rental)
    }

    private func duration(_ kind: Kind, lease: UInt32, rental: UInt32) -> TLLV {
        TLLV(.keyDuration, .integers(lease, rental, kind.rawValue, UInt32(0x86d3_4a3a)))
    }

    /// Returns two durations for a device that knows both, and one for an older device.
    private func offlineKey(
        _ validity: KeyTerms.OfflineValidity,
        for spc: ServerPlaybackContext
    ) throws(FairPlayError) -> TLLV {
        let knowsTitle = spc.capabilities.contains(.offlineKeyWithTitle)
        guard knowsTitle || spc.capabilities.contains(.offlineKey) else {
            guard validity.playbackSeconds == 0 else { throw .unenforceable(.playbackDuration) }
            let storage = validity.storageSeconds
            return duration(storage == 0 ? .persistent : .persistentForTime, lease: Self.noLease, rental: storage)
        }
        let hasTitle = knowsTitle && validity.titleID != nil
        var value = ByteBuffer.integers(UInt32(hasTitle ? 2 : 1), UInt32(0))
        value.write(validity.streamID ?? Bytes16(high: 0, low: 0))
        value.writeMultipleIntegers(validity.storageSeconds, validity.playbackSeconds)
        if hasTitle, let titleID = validity.titleID { value.write(titleID) }
        return TLLV(.offlineKey, value)
    }
}

extension ServerPlaybackContext {
    /// Returns true if the device has a security level; one that is too old to say is taken to have it.
    fileprivate func reaches(_ level: SecurityLevel) -> Bool {
        if let securityLevel { return securityLevel >= level }
        return level < .main || capabilities.contains(.securityLevelMain)
            || !capabilities.contains(.securityLevelBaseline)
    }
}

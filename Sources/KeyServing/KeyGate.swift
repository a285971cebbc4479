import ContentProtection
import MediaCore

/// The keys of a channel that one viewer may have.
struct KeyGate: Sendable {
    /// The viewer's token; nil if everybody may have all keys.
    let token: PlaybackToken?
    let keys: any KeyService
    /// The operator's limit in seconds; nil for as long as playback lasts.
    var operatorsLease: UInt32?

    /// The seconds for which a key may be used after the request: the shorter of the operator's and the
    /// token's limit.
    var leaseSeconds: UInt32? { [operatorsLease, token?.durations.lease].compactMap(\.self).min() }

    /// True if a device may store keys, for which the lease does not hold.
    var mayStoreKeys: Bool { token?.isPersistent ?? (leaseSeconds == nil) }

    /// - Parameters:
    ///   - keyID: The ID of a key.
    ///   - systems: The key systems whose clients ask; nil for any.
    /// - Returns: The key.
    /// - Throws: The refusal.
    func key(_ keyID: KeyID, for systems: Set<KeySystem>?) throws(KeyRefusal) -> PeriodKey {
        let availability: KeyAvailability
        do {
            availability = try keys.availability(of: keyID, for: systems)
        } catch {
            throw .failed
        }
        switch availability {
        case .unknown: throw .unknownKey
        case .early(let seconds): throw .early(seconds: seconds)
        case .available(let key):
            do throws(TokenRefusal) {
                try token?.check(key.keyClass)
            } catch {
                throw KeyRefusal(error)
            }
            return key
        }
    }

    /// Returns those of several keys that the viewer may have: a player may request several of a playlist at once.
    ///
    /// - Throws: The refusal of the first key, if the viewer may have none.
    func keys(_ keyIDs: [KeyID], for systems: Set<KeySystem>) throws(KeyRefusal) -> [PeriodKey] {
        var found: [PeriodKey] = []
        var first: KeyRefusal?
        for keyID in keyIDs {
            do throws(KeyRefusal) {
                found.append(try key(keyID, for: systems))
            } catch {
                first = first ?? error
            }
        }
        if found.isEmpty { throw first ?? .malformedLicenseRequest }
        return found
    }
}

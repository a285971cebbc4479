import ContentProtection
package import Logging
package import MediaCore
import NIOCore
import Synchronization

/// Answers requests for the keys of all channels.
///
/// It checks tokens, limits the rate of each client, and keeps a record.
///
/// A request is answered at once, from memory. No key and no token is ever in the record.
package final class KeyResponder: Sendable {
    package let counters = KeyCounters()
    package let fairPlay: FairPlayResponder?
    private let tokens: TokenKeyring?
    private let leaseSeconds: UInt32?
    private let rate: Mutex<RequestRate?>
    private let now: @Sendable () -> MediaTime
    private let uptime: @Sendable () -> MediaTime
    let logger: Logger

    /// - Parameters:
    ///   - tokens: Verifies tokens; nil if everybody may have keys.
    ///   - requestsPerMinute: The most requests of one token, or of one address without a token; nil for any number.
    ///   - leaseSeconds: The seconds for which a key may be used before the next request; nil for as long
    ///     as playback lasts.
    ///   - fairPlay: Answers devices of Apple; nil if there are no credentials.
    ///   - now: UTC as the machine's clock has it, counted from 1970: tokens begin and expire by it.
    ///   - uptime: A clock that never goes back, for the rate.
    ///   - logger: Gets one line for each request.
    package init(
        tokens: TokenKeyring?,
        requestsPerMinute: Int? = nil,
        leaseSeconds: UInt32? = nil,
        fairPlay: FairPlayResponder? = nil,
        now: @escaping @Sendable () -> MediaTime,
        uptime: @escaping @Sendable () -> MediaTime,
        logger: Logger
    ) {
        self.tokens = tokens
        self.leaseSeconds = leaseSeconds
        self.fairPlay = fairPlay
        self.now = now
        self.uptime = uptime
        self.logger = logger
        rate = Mutex(requestsPerMinute.map { RequestRate(perMinute: $0) })
    }

    /// Answers a request.
    ///
    /// - Parameters:
    ///   - request: As it came.
    ///   - keys: The keys of the channel that it names; nil if there is no such channel, or it has none.
    /// - Returns: The answer, in all cases.
    package func answer(_ request: KeyRequest, from keys: (any KeyService)?) -> KeyAnswer {
        var record = KeyRecord(request)
        var refusal: KeyRefusal?
        let answer: KeyAnswer
        do throws(KeyRefusal) {
            let token = try admit(request.token, channel: request.channel, address: request.address, &record.subject)
            guard let keys else { throw .unknownKey }
            let gate = KeyGate(token: token, keys: keys, operatorsLease: leaseSeconds)
            answer = try self.answer(request, gate, &record)
            refusal = record.refusal
        } catch {
            refusal = error
            answer = KeyAnswer(error)
        }
        counters.answered(refusal)
        logger.info("key request", metadata: record.metadata(status: answer.status, refusal: refusal))
        return answer
    }

    private func answer(
        _ request: KeyRequest,
        _ gate: KeyGate,
        _ record: inout KeyRecord
    ) throws(KeyRefusal) -> KeyAnswer {
        switch request.subject {
        case .key(let keyID):
            record.keyIDs = [keyID]
            let key = try gate.key(keyID, for: [.identity])
            record.classes = [key.keyClass]
            let body = ByteBuffer(bytes: key.contentKey.bytes)
            var answer = KeyAnswer(body, contentType: "application/octet-stream")
            answer.leaseSeconds = gate.leaseSeconds
            return answer
        case .clearKey(let body):
            let keyIDs: [KeyID]
            do throws(ClearKeyLicense.RequestError) {
                keyIDs = try ClearKeyLicense.Request(json: body.readableBytesView).keyIDs
            } catch .unsupportedSessionType {
                throw .sessionTypeUnsupported
            } catch {
                throw .malformedLicenseRequest
            }
            record.keyIDs = keyIDs
            let keys = try gate.keys(keyIDs, for: [.identity, .clearkey])
            record.classes = keys.map(\.keyClass)
            let license = ClearKeyLicense.response(keys, leaseSeconds: gate.leaseSeconds)
            return KeyAnswer(ByteBuffer(string: license), contentType: "application/json")
        case .fairPlay(let body, let contentType, let isPersistent):
            guard let fairPlay else { throw .unknownKey }
            if isPersistent, !gate.mayStoreKeys { throw .persistentNotAllowed }
            let form = try FairPlayForm(body, contentType: contentType)
            let results = form.requests.map { spc in
                fairPlay.answer(spc, gate, isPersistent: isPersistent) { key in
                    record.keyIDs.append(key.keyID)
                    record.classes.append(key.keyClass)
                }
            }
            let answer = try form.answer(results)
            if !results.contains(where: \.isSuccess), case .failure(let first)? = results.first {
                record.refusal = first
            }
            return answer
        }
    }

    /// Admits a request, or throws the refusal.
    ///
    /// - Parameters:
    ///   - text: The token; nil if there is none.
    ///   - channel: The name of the channel.
    ///   - address: Tells the client's address from others.
    ///   - subject: Gets the subject of a token for this origin, also of one that is refused for its time or channel.
    /// - Returns: The token's contents; nil if no token is required.
    /// - Throws: The refusal.
    func admit(
        _ text: String?,
        channel: String,
        address: Int,
        _ subject: inout String?
    ) throws(KeyRefusal) -> PlaybackToken? {
        guard let tokens else {
            try count(address)
            return nil
        }
        let token: PlaybackToken
        do throws(TokenRefusal) {
            guard let text else { throw .missing }
            token = try tokens.token(text)
            subject = token.subject
            try token.check(at: now())
            try token.check(channel: channel)
        } catch {
            // Clients without a valid token are counted by address.
            try count(address)
            throw KeyRefusal(error)
        }
        try count(token.identity)
        return token
    }

    func count(_ asker: Int) throws(KeyRefusal) {
        let moment = uptime()
        guard let seconds = rate.withLock({ $0?.refusal(of: asker, at: moment) }) else { return }
        // Clients that were refused together must not return together.
        throw .tooMany(retryAfter: seconds + Int.random(in: 0...max(2, seconds / 2)))
    }
}

extension Result {
    fileprivate var isSuccess: Bool { if case .success = self { true } else { false } }
}

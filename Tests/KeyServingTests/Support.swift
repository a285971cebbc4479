import ContentProtection
import FairPlay
import FairPlaySupport
import Foundation
import Logging
import MediaCore
import NIOCore
import Synchronization
import TestSupport
import Testing

@testable import KeyServing

/// A channel with a key of each class, one that is still to come, and nothing else.
struct TestKeys: KeyService {
    var outputProtection = OutputProtection.automatic
    /// The key systems of the channel.
    var systems: Set<KeySystem> = [.identity, .clearkey, .fairplay]
    static let video = key(.video, 1)
    static let audio = key(.audio, 2)
    static let classes = [key(.sd, 11), key(.hd, 12), key(.uhd, 13), key(.hdr, 14)]
    /// A key whose source asks for less protection than its class would.
    static let lenient = key(.uhd, 15, .type0)
    static let coming = KeyID(Bytes16(high: 9, low: 9))

    let isCBCS = true

    private static func key(
        _ keyClass: KeyClass,
        _ number: UInt64,
        _ protection: DisplayProtection? = nil
    ) -> PeriodKey {
        PeriodKey(
            period: CryptoPeriod(1),
            keyClass: keyClass,
            keyID: KeyID(Bytes16(high: number, low: 4)),
            contentKey: ContentKey(Bytes16(high: 0x5345_4352_4554_5345, low: number)),
            constantIV: Bytes16(high: 7, low: number),
            displayProtection: protection
        )
    }

    func availability(of keyID: KeyID, for systems: Set<KeySystem>?) -> KeyAvailability {
        if let systems, systems.isDisjoint(with: self.systems) { return .unknown }
        if keyID == Self.coming { return .early(seconds: 8) }
        let keys = [Self.video, Self.audio, Self.lenient] + Self.classes
        return keys.first { $0.keyID == keyID }.map { .available($0) } ?? .unknown
    }

    func contentKey(_ keyID: KeyID) -> ContentKey? { nil }
    func schedule() -> ByteBuffer { ByteBuffer() }
    func license(for request: ByteBuffer) -> ByteBuffer { ByteBuffer() }
}

/// A responder whose record and clock a test holds.
struct ResponderFixture {
    final class Lines: LogHandler, Sendable {
        private let lines = Mutex<[String]>([])
        private let names = Mutex<Set<String>>([])
        var all: [String] { lines.withLock { $0 } }
        /// The names of those variables that JSON has as numbers.
        var numbers: Set<String> { names.withLock { $0 } }
        var logLevel: Logger.Level {
            get { .trace }
            set {}
        }
        var metadata: Logger.Metadata {
            get { [:] }
            set {}
        }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { nil }
            set {}
        }

        func log(event: LogEvent) {
            let metadata = (event.metadata ?? [:]).sorted { $0.key < $1.key }.map { "\($0)=\($1)" }
            lines.withLock { $0.append(metadata.joined(separator: " ")) }
            for case (let name, .stringConvertible(let value)) in event.metadata ?? [:] where value is Int {
                names.withLock { _ = $0.insert(name) }
            }
        }
    }

    /// The machine's clock, which a test sets, and one that continues only when a test says so.
    final class Clocks: Sendable {
        private let state = Mutex((step: MediaTime.zero, uptime: MediaTime.zero))

        var now: MediaTime {
            MediaTime(seconds: Int64(Date.now.timeIntervalSince1970)) + state.withLock { $0.step }
        }

        var uptime: MediaTime { state.withLock { $0.uptime } }

        /// Lets time pass, and sets the machine's clock as well.
        func advance(_ uptime: MediaTime, setting step: MediaTime = .zero) {
            state.withLock { state in
                state.uptime += uptime
                state.step += uptime + step
            }
        }
    }

    let responder: KeyResponder
    let clocks = Clocks()
    let log = Lines()
    let tokens: [String]

    init(
        _ tokens: [TokenIssuer.Token]? = nil,
        keys: [TokenIssuer.Key] = [.init("shared")],
        perMinute: Int? = nil,
        lease: UInt32? = nil,
        terms: FairPlayResponder.Terms = .init()
    ) async throws {
        let issuer = try await TokenIssuer(keys, tokens ?? [])
        self.tokens = issuer.tokens
        let keyring = TokenKeyring(
            fetch: { [UInt8](issuer.jwks) },
            uptime: { .zero },
            onKeys: { _ in },
            onFailure: { _, _ in }
        )
        try await keyring.refresh()
        let module = KeySecurityModule(
            certificates: try [TestCredentials.bits2048, .bits2048Next].map { try $0.applicationCertificate() },
            provider: try .linked()
        )
        responder = KeyResponder(
            tokens: tokens == nil ? nil : keyring,
            requestsPerMinute: perMinute,
            leaseSeconds: lease,
            fairPlay: FairPlayResponder(module, terms: terms),
            now: { [clocks] in clocks.now },
            uptime: { [clocks] in clocks.uptime },
            logger: Logger(label: "keys") { [log] _ in log }
        )
    }

    func answer(
        _ subject: KeyRequest.Subject,
        token: Int? = nil,
        channel: String = "live",
        address: Int = 1,
        from keys: TestKeys = TestKeys()
    ) -> KeyAnswer {
        let request = KeyRequest(subject, channel: channel, token: token.map { tokens[$0] }, address: address)
        return responder.answer(request, from: keys)
    }

    /// Asks for the key of the video with a token as it is written.
    func ask(_ token: String, address: Int) -> KeyAnswer {
        responder.answer(
            KeyRequest(.key(TestKeys.video.keyID), channel: "live", token: token, address: address),
            from: TestKeys()
        )
    }
}

extension KeyID {
    /// The key ID as licences write it.
    var base64URL: String {
        Data(bytes.bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing(
            "=",
            with: ""
        )
    }
}

extension KeyAnswer {
    /// The word in a refusal; nil in what is none.
    var error: String? {
        ((try? JSONSerialization.jsonObject(with: Data(body.readableBytesView))) as? [String: Any])?["error"] as? String
    }
}

import ContentProtection
import FairPlay
import FairPlaySupport
import KeyServing
import Logging
import MediaCore
import NIOCore

/// A responder of which anybody may ask for the one key that there is.
struct LicenseHarness {
    private struct Keys: KeyService {
        var outputProtection: OutputProtection { .automatic }
        let isCBCS = true

        func availability(of keyID: KeyID, for systems: Set<KeySystem>?) -> KeyAvailability {
            .available(
                PeriodKey(
                    period: CryptoPeriod(1),
                    keyClass: .video,
                    keyID: keyID,
                    contentKey: ContentKey(Bytes16(high: 3, low: 4)),
                    constantIV: Bytes16(high: 5, low: 6)
                )
            )
        }

        func contentKey(_ keyID: KeyID) -> ContentKey? { nil }
        func schedule() -> ByteBuffer { ByteBuffer() }
        func license(for request: ByteBuffer) -> ByteBuffer { ByteBuffer() }
    }

    private let responder: KeyResponder

    static let shared = LicenseHarness()

    private static let types = [
        nil, "application/octet-stream", "text/plain", "application/x-www-form-urlencoded", "application/json",
    ]

    private init() {
        do {
            let module = KeySecurityModule(
                certificates: try TestCredentials.allCases.map { try $0.applicationCertificate() },
                provider: try .linked()
            )
            responder = KeyResponder(
                tokens: nil,
                fairPlay: FairPlayResponder(module),
                now: { .zero },
                uptime: { .zero },
                logger: Logger(label: "keys") { _ in SwiftLogNoOpLogHandler() }
            )
        } catch {
            fatalError("\(error)")
        }
    }

    func run(_ bytes: [UInt8]) {
        let body = ByteBuffer(bytes: bytes)
        let posted = Self.types.map { KeyRequest.Subject.fairPlay(body, contentType: $0, isPersistent: false) }
        for subject in [.clearKey(body)] + posted {
            let request = KeyRequest(subject, channel: "live", token: nil, address: 0)
            let answer = responder.answer(request, from: Keys())
            guard (200..<500).contains(answer.status), answer.body.readableBytes > 0 else { fatalError("\(answer)") }
        }
    }
}

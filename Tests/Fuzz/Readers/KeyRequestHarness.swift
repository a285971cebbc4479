import ContentProtection
import FairPlay
import FairPlaySupport
import MediaCore
import NIOCore

/// A key security module that gives everybody a key, and a device whose payloads come from the fuzzer.
struct KeyRequestHarness {
    private let module: KeySecurityModule
    private let device: TestDevice

    static let shared = KeyRequestHarness()

    private static let terms: [KeyTerms] = [
        KeyTerms(validity: .leaseAndRental(lease: 60, rental: 3600), hdcp: .type1),
        KeyTerms(validity: .offline(KeyTerms.OfflineValidity(storageSeconds: 60, titleID: Bytes16(high: 1, low: 2)))),
        KeyTerms(securityLevel: .main),
    ]

    private init() {
        do {
            let credentials = TestCredentials.allCases
            module = KeySecurityModule(
                certificates: try credentials.map { try $0.applicationCertificate() },
                provider: try .linked()
            )
            device = try TestDevice(.one)
        } catch {
            fatalError("\(error)")
        }
    }

    func run(_ bytes: [UInt8]) {
        answer(ByteBuffer(bytes: bytes))
        if let spc = try? device.spc(payload: Array(bytes.prefix(bytes.count / 16 * 16))) { answer(spc) }
    }

    private func answer(_ spc: ByteBuffer) {
        do throws(FairPlayError) {
            let answer = try module.answer(spc) { request in
                KeyGrant(
                    key: PeriodKey(
                        period: CryptoPeriod(1),
                        keyClass: .video,
                        keyID: KeyID(Bytes16(high: 1, low: 2)),
                        contentKey: ContentKey(Bytes16(high: 3, low: 4)),
                        constantIV: Bytes16(high: 5, low: 6)
                    ),
                    isCBCS: true,
                    terms: Self.terms[Int(request.transactionID % 3)]
                )
            }
            if answer.ckc.readableBytes % 16 != 28 % 16 { fatalError("no whole blocks") }
        } catch {
            if error.number >= 0 { fatalError("\(error)") }
        }
    }
}

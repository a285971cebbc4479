import ContentProtection
import FairPlay
import FairPlaySupport
import Foundation
import MediaCore
import NIOCore

// Says how many requests of FairPlay devices are answered in a second on one core, with the test provider.

guard CommandLine.arguments.count == 2, let seconds = Double(CommandLine.arguments[1]) else {
    FileHandle.standardError.write(Data("usage: keys SECONDS\n".utf8))
    exit(2)
}
let module = KeySecurityModule(
    certificates: try TestCredentials.allCases.map { try $0.applicationCertificate() },
    provider: try .linked()
)
let grant = KeyGrant(
    key: PeriodKey(
        period: CryptoPeriod(1),
        keyClass: .video,
        keyID: KeyID(Bytes16(high: 1, low: 2)),
        contentKey: ContentKey(Bytes16(high: 3, low: 4)),
        constantIV: Bytes16(high: 5, low: 6)
    ),
    isCBCS: true,
    terms: KeyTerms(validity: .lease(seconds: 60), hdcp: .type0)
)
for version in SPCVersion.allCases {
    let device = try TestDevice(version)
    let spc = try device.spc()
    guard try device.open(module.answer(spc, grant: { _ in grant }).ckc)?.contentKey == grant.key.contentKey.secret
    else {
        fatalError("the device does not read its key")
    }
    let begun = ContinuousClock.now
    var count = 0
    while ContinuousClock.now - begun < .seconds(seconds) {
        _ = try module.answer(spc) { _ in grant }
        count += 1
    }
    let rate = Double(count) / ((ContinuousClock.now - begun) / .seconds(1))
    print("version \(version.rawValue): \(spc.readableBytes) bytes, \(Int(rate)) answers a second")
}

package import FairPlay
import Foundation

/// Certificates that this project has made for itself, with their keys: no device takes them.
package enum TestCredentials: String, Sendable, CaseIterable {
    case bits1024 = "1024"
    case bits2048 = "2048"
    /// The credentials that replace ``bits2048`` one day.
    case bits2048Next = "2048-next"

    private static let directory = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Credentials")

    package var certificatePath: String { Self.directory.appending(path: "\(rawValue).cer").path }

    /// DER.
    package func certificate() throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: certificatePath))) }

    /// PEM.
    package func privateKey() throws -> [UInt8] {
        Array(try Data(contentsOf: Self.directory.appending(path: "\(rawValue).pem")))
    }

    package var provisioningData: [UInt8] { Array("provisioning data of \(rawValue)".utf8) }

    package func applicationCertificate() throws -> ApplicationCertificate {
        try ApplicationCertificate(der: certificate(), privateKey: privateKey(), provisioningData: provisioningData)
    }
}

import CFairPlayProvider
import FairPlay
import FairPlaySupport
import Foundation
import NIOCore
import TestSupport
import Testing

/// Plug-ins, good and bad.
@Suite struct ProviderTests {
    /// The test provider as the shared library that it is built to as well.
    private static let path = Repository.built("libFairPlayTestProvider.so")

    @Test(arguments: SPCVersion.allCases)
    func aPluginIsLoaded(version: SPCVersion) throws {
        let provider = try FairPlayProvider(path: Self.path)
        #expect(provider.name == "packager test provider")
        let module = KeySecurityModule(
            certificates: try TestCredentials.allCases.map { try $0.applicationCertificate() },
            provider: provider
        )
        #expect(try module.license(for: TestDevice(version)).contentKey == KeyGrant.key)
    }

    @Test func pluginThatCannotBeLoadedIsRefused() throws {
        #expect {
            try FairPlayProvider(path: "no-such-plug-in.so")
        } throws: {
            guard case .notLoaded("no-such-plug-in.so", let reason) = $0 as? FairPlayProviderError else { return false }
            return reason.contains("No such file")
        }
        let library = try #require(
            ["x86_64", "aarch64"].map { "/lib/\($0)-linux-gnu/libm.so.6" }.first(where: FileManager.default.fileExists)
        )
        let error = FairPlayProviderError.noSymbol(path: library, symbol: "packager_fairplay_get_provider")
        #expect(throws: error) { try FairPlayProvider(path: library) }
        #expect(error.description.hasPrefix("\(library): it exports no packager_fairplay_get_provider"))
        #expect(throws: FairPlayProviderError.notReady(path: "x")) { try FairPlayProvider(nil, path: "x") }
    }

    /// A module with a provider of a test.
    private func module(
        version: UInt32 = UInt32(PACKAGER_FAIRPLAY_PROVIDER_VERSION),
        _ createKey:
            @escaping @convention(c) (
                UnsafePointer<packager_fairplay_request>?, UnsafeMutablePointer<packager_fairplay_answer>?
            ) -> Int32
    ) throws -> KeySecurityModule {
        var table = packager_fairplay_provider()
        table.version = version
        table.create_key = createKey
        return KeySecurityModule(
            certificates: try TestCredentials.allCases.map { try $0.applicationCertificate() },
            provider: try FairPlayProvider(&table, path: "test")
        )
    }

    @Test func pluginOfAnotherInterfaceVersionIsRefused() throws {
        #expect(throws: FairPlayProviderError.version(path: "test", found: 2, expected: 1)) {
            try module(version: 2) { _, _ in 0 }
        }
    }

    @Test func pluginStatusIsPassedOn() throws {
        let spc = try TestDevice(.one).spc()
        #expect(throws: FairPlayError.provider(status: -1)) { try module { _, _ in -1 }.answer(spc) }
        #expect(throws: FairPlayError.integrity) { try module { _, _ in -42589 }.answer(spc) }
    }

    @Test func emptyOrOversizedAnswerOfAPluginIsRefused() throws {
        let spc = try TestDevice(.one).spc()
        #expect(throws: FairPlayError.providerAnswer("0 bytes of content key")) {
            try module { _, _ in 0 }.answer(spc)
        }
        #expect(throws: FairPlayError.providerAnswer("2000 bytes of content key")) {
            try module { _, answer in
                answer?.pointee.content_key_count = 2000
                return 0
            }.answer(spc)
        }
        #expect(throws: FairPlayError.providerAnswer("no R1")) {
            try module { _, answer in
                answer?.pointee.content_key_count = 32
                return 0
            }.answer(spc)
        }
        #expect(throws: FairPlayError.providerAnswer("session keys 0 and 0")) {
            try module { _, answer in
                answer?.pointee.content_key_count = 32
                answer?.pointee.r1.0 = 1
                return 0
            }.answer(spc)
        }
    }

    @Test func withoutItsParametersVersion3IsRefused() throws {
        let spc = try TestDevice(.three).spc()
        #expect(throws: FairPlayError.unsupportedVersion3) { try module { _, _ in 0 }.answer(spc) }
        #expect(FairPlayError.unsupportedVersion3.number == -42612)
    }

    @Test func certificateMustMatchItsKey() throws {
        let (one, two) = (TestCredentials.bits2048, TestCredentials.bits2048Next)
        #expect(throws: CertificateError.mismatch) {
            try ApplicationCertificate(der: one.certificate(), privateKey: two.privateKey(), provisioningData: [])
        }
        #expect(throws: CertificateError.certificate) {
            try ApplicationCertificate(der: [1, 2, 3], privateKey: one.privateKey(), provisioningData: [])
        }
        for key in [[], try one.certificate()] {
            #expect(throws: CertificateError.privateKey) {
                try ApplicationCertificate(der: one.certificate(), privateKey: key, provisioningData: [])
            }
        }
    }

    @Test func otherKindsOfKeysAreRefused() async throws {
        let elliptic = try await Program.run(
            "openssl",
            ["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"]
        )
        let long = try await Program.run("openssl", ["genrsa", "3072"])
        let locked = try await Program.run("openssl", ["genrsa", "-aes128", "-passout", "pass:secret", "1024"])
        for (pem, error) in [
            (elliptic, CertificateError.privateKey), (locked, .privateKey), (long, .modulus(bits: 3072)),
        ] {
            #expect(throws: error) {
                try ApplicationCertificate(
                    der: TestCredentials.bits2048.certificate(),
                    privateKey: Array(pem.utf8),
                    provisioningData: []
                )
            }
        }
    }
}

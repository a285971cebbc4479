import Foundation
import PackagerConfig
import TestSupport
import Testing

@testable import Hosting

/// A change that would give a stream that is on air other keys.
@Suite(.timeLimit(.minutes(5))) struct SecretChangeTests {
    /// With everything else that is wrong, and before anything is touched.
    @Test func secretThatDoesNotComeAlongIsRefusedBeforeAnything() async throws {
        let (stage, directory) = (Stage(), try TemporaryDirectory())
        func channel(_ name: String) throws -> ChannelConfiguration {
            try Stage.channel("a", ["encryption": ["sample-aes"], "state": [directory.file(name)]])
        }
        let (before, after) = (try channel("one"), try channel("two"))
        try await stage.host.add([before])
        stage.factory.find("channel a: its slate is missing", with: "a")
        let error = await #expect(throws: SetupError.self) {
            try await stage.host.apply(Stage.change(from: [before], to: [after]))
        }
        #expect(error?.items.map(\.setting) == [nil, "key-secret"] && error?.items.last?.channel == "a")
        #expect(error?.problems.last?.contains("to \(directory.file("two"))/master.key, or name") == true)
        #expect(stage.factory.assemblies.count == 1 && stage.factory.runner("a")?.ends == nil)
        #expect(!FileManager.default.fileExists(atPath: directory.file("two")), "no secret is made there")

        stage.factory.find(nil, with: "a")
        try FileManager.default.createDirectory(atPath: directory.file("two"), withIntermediateDirectories: false)
        let key = "/master.key"
        try FileManager.default.copyItem(atPath: directory.file("one") + key, toPath: directory.file("two") + key)
        try await stage.host.apply(Stage.change(from: [before], to: [after]))
        #expect(stage.factory.assemblies.count == 2)
    }

    @Test func secretInMemoryIsNotRefusedForAnotherChange() async throws {
        let stage = Stage()
        let before = try Stage.channel("a", ["encryption": ["sample-aes"]])
        let after = try Stage.channel("a", ["encryption": ["sample-aes"], "window": ["90"]])
        try await stage.host.add([before])
        try await stage.host.apply(Stage.change(from: [before], to: [after]))
        #expect(stage.factory.assemblies.count == 2)
    }
}

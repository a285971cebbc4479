import Foundation
import MediaCore
import TestSupport
import Testing

@testable import Drills

/// The scenarios that come with the program.
struct ScenarioFilesTests {
    static let folder = Repository.root.appending(path: "Config/drills").path

    static let names = (try? FileManager.default.contentsOfDirectory(atPath: folder).sorted()) ?? []

    @Test(arguments: names)
    func everyFileIsAScenario(name: String) throws {
        let text = try String(contentsOfFile: "\(Self.folder)/\(name)", encoding: .utf8)
        let scenario = try Scenario.load(text, file: "Config/drills/\(name)") { $0 }
        #expect("\(scenario.name).yaml" == name)
        #expect((MediaTime(seconds: 20)...MediaTime(seconds: 45)).contains(scenario.duration))
        #expect(scenario.expectations.contains(MetricLimits(.violations, atLeast: 0, atMost: 0)))
        // A fault's consequences have to be seen as well.
        #expect(scenario.faults.allSatisfy { ($0.end ?? $0.start) + MediaTime(seconds: 4) <= scenario.duration })
    }

    @Test func everyFaultHasAScenario() throws {
        let scenarios = try Self.names.map { name in
            try Scenario.load(
                String(contentsOfFile: "\(Self.folder)/\(name)", encoding: .utf8),
                file: name,
                sample: { $0 }
            )
        }
        let faults = Set(scenarios.flatMap(\.faults).map(\.action.name))
        #expect(faults.isSuperset(of: Set(Fault.names).subtracting(["video-lost"])))
        #expect(faults.isSuperset(of: ["packager-killed", "disk-full", "cache-killed", "machine-killed"]))
        #expect(scenarios.contains { if case .slow = $0.disk { true } else { false } })
    }

    @Test func aSampleIsFoundInAFolderAboveTheFile() throws {
        let scenario = try #require(try Scenario.load(paths: ["\(Self.folder)/encoder-killed.yaml"]).first)
        #expect(scenario.inputs.map(\.samplePath) == [Repository.feed])
    }

    @Test func whatIsNotThereIsAProblem() {
        #expect {
            try Scenario.load(paths: ["/nowhere/a.yaml"])
        } throws: { error in
            "\(error)" == "/nowhere/a.yaml:1: this is not a file that can be read"
        }
    }
}

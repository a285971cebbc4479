import Foundation
import TestSupport
import Testing

/// Package.swift is where the architecture is read: it has to be true.
@Suite struct LayersTests {
    /// The layer of each target, and its dependencies among our targets.
    private static func targets() throws -> [String: (layer: Int, dependencies: [String])] {
        let manifest = try String(contentsOf: Repository.root.appending(path: "Package.swift"), encoding: .utf8)
        let layers = try Regex(#"// Layer (\d+):"#, as: (Substring, Substring).self)
        let target = try Regex(
            #"\.(?:target|executableTarget|systemLibrary|plugin)\(\s*name: "(\w+)"(?:,\s*dependencies: \[([^\]]*)\])?"#,
            as: (Substring, Substring, Substring?).self
        )
        var targets: [String: (layer: Int, dependencies: [String])] = [:]
        let product = manifest.prefix { $0 != "\0" }.components(separatedBy: "// Tests.")[0]
        for section in product.components(separatedBy: "// Layer ").dropFirst() {
            let layer = try #require(try layers.firstMatch(in: "// Layer " + section).flatMap { Int($0.output.1) })
            for match in section.matches(of: target) {
                let names = (match.output.2 ?? "").matches(of: /"(\w+)"/).map { String($0.output.1) }
                targets[String(match.output.1)] = (layer, names)
            }
        }
        return targets
    }

    @Test func targetsDependOnLowerLayersOnly() throws {
        let targets = try Self.targets()
        let folders = try FileManager.default.contentsOfDirectory(
            atPath: Repository.root.appending(path: "Sources").path
        )
        #expect(Set(targets.keys) == Set(folders), "every folder of Sources has its layer")
        for (name, target) in targets {
            for dependency in target.dependencies {
                let below = try #require(targets[dependency]?.layer, "\(name) depends on \(dependency)")
                #expect(below < target.layer, "\(name) depends on \(dependency), which is no layer below")
            }
        }
    }
}

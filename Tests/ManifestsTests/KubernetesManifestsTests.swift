import Foundation
import PackagerConfig
import TestSupport
import Testing

@testable import Manifests

/// Whole manifests, as they are written down, and as others read them.
@Suite struct KubernetesManifestsTests {
    /// With UPDATE_DOCUMENTS=1 in the environment they are written anew.
    @Test(arguments: FleetCase.all)
    func manifestsAreThoseOfTheGolden(fleet: FleetCase) throws {
        let text = try fleet.text()
        if ProcessInfo.processInfo.environment["UPDATE_DOCUMENTS"] == "1" {
            return try text.write(to: fleet.golden, atomically: true, encoding: .utf8)
        }
        let golden = try String(contentsOf: fleet.golden, encoding: .utf8)
        if text == golden { return }
        let (old, new) = (golden.split(separator: "\n"), text.split(separator: "\n"))
        let same = zip(old, new).prefix { $0 == $1 }.count
        Issue.record(
            """
            \(fleet.name).yaml:\(same + 1); run this test with UPDATE_DOCUMENTS=1 and look at the difference
            - \(old.dropFirst(same).first ?? "")
            + \(new.dropFirst(same).first ?? "")
            """
        )
    }

    private func judged(_ text: String, secrets: [String] = []) async throws -> (isRight: Bool, words: String) {
        let directory = try TemporaryDirectory()
        let path = try directory.write(text, to: "fleet.yaml")
        let judge = try Program(Repository.python, [Repository.script("ManifestsTests/judge.py"), path] + secrets)
        let code = await judge.exitCode()
        return (code == 0, judge.output + judge.errors)
    }

    @Test(arguments: FleetCase.all)
    func othersFindNothingWrongWithThem(fleet: FleetCase) async throws {
        let (isRight, words) = try await judged(fleet.text(), secrets: fleet.secrets)
        #expect(isRight, "\(words)")
    }

    /// Damage, and a word of what is said of it.
    @Test(arguments: [
        ("replicas: 2", "replicas: two", "two"),
        ("readOnlyRootFilesystem: true", "readOnlyRootFilesystem: false", "may write"),
        ("topologyKey: kubernetes.io/hostname", "topologyKey: kubernetes.io/os", "two machines"),
        ("peer: http://packager-1-1.", "peer: http://packager-1-0.", "packager-1-0"),
        ("publishNotReadyAddresses: true", "publishNotReadyAddresses: false", "before its pods are ready"),
        ("- name: packager-nobody", "- name: packager-1", "for everybody"),
        ("targetPort: keys", "targetPort: key", "leads to no port"),
    ])
    func othersFindDamage(part: String, damage: String, word: String) async throws {
        let text = try FleetCase.all[0].text()
        let damaged = text.replacing(part, with: damage)
        #expect(damaged != text)
        let (isRight, words) = try await judged(damaged)
        #expect(!isRight && words.contains(word), "\(words)")
    }

    /// Nothing but the places of files and the addresses is another in a pod.
    @Test func aPodHasTheChannelsOfTheFile() throws {
        let fleet = FleetCase.all[0]
        let file = try fleet.configuration()
        let whole = try Configuration.load(file: file)
        let reading = try Configuration.read(flags: [:], environment: [:], file: file)
        let groups = try GroupAssembly(file, reading, fleet.options, keeping: ChannelGrouping()).groups
        #expect(groups.map(\.names) == [["news", "Sport_1"], ["film"]])
        for group in groups {
            for (ordinal, text) in group.members.enumerated() {
                let member = try Configuration.load(file: ConfigurationFile(name: "pod.yaml", text: text))
                #expect(member.listen == ListenAddress(host: "0.0.0.0", port: 8080))
                #expect(member.keysListen == whole.keysListen)
                for channel in member.channels {
                    let same = try #require(whole.channels.first { $0.name == channel.name })
                    let effects: Set<SettingEffect> = [.stream, .pair, .rolling]
                    #expect(channel.identity(of: effects) == same.identity(of: effects))
                    #expect(channel.inputs == same.inputs && channel.backups == same.backups)
                    #expect(channel.peer == "http://\(group.host(1 - ordinal)):8080")
                    #expect(channel.keySecret == .file("/run/packager-secrets/master.key"))
                }
            }
        }
    }

    /// A thousand channels are written in pairs of pods that have at most so many.
    @Test func manyChannelsAreManyGroups() throws {
        let channels = (1...1000).map {
            "  - { name: channel-\($0), input: 'https://encoders.example.com/\($0).ts' }\n"
        }
        let text = "clock: pts\nchannels:\n" + channels.joined()
        let file = ConfigurationFile(name: "thousand.yaml", text: text)
        let options = KubernetesOptions(image: "packager", groupSize: 25)
        let manifests = try FleetCase.manifests(file, options).text
        #expect(manifests.split(separator: "\n").count { $0 == "kind: StatefulSet" } == 40)
        let kept = try #require(ChannelGrouping(ofManifests: manifests))
        #expect(kept.groups.count == 40 && kept.groups[40]?.last == "channel-1000")
    }
}

import Foundation
import PackagerConfig
import TestSupport
import Testing

/// The files of a fleet on machines, in Config/fleet, agree with each other and with what the package has.
@Suite struct FleetFilesTests {
    private static func text(_ path: String) throws -> String {
        try String(contentsOf: Repository.root.appending(path: "Config/\(path)"), encoding: .utf8)
    }

    /// The groups of channels, as HAProxy reads them.
    private static func groups() throws -> [String: String] {
        let lines = try text("fleet/channels.map").split(separator: "\n").filter { !$0.hasPrefix("#") }
        let pairs = lines.map { $0.split(separator: " ").map(String.init) }
        #expect(pairs.allSatisfy { $0.count == 2 })
        return Dictionary(uniqueKeysWithValues: pairs.map { ($0[0], $0[1]) })
    }

    @Test func aGroupIsConfiguredAndHasItsPeerFromTheEnvironment() throws {
        let file = ConfigurationFile(name: "group-1.yaml", text: try Self.text("fleet/group-1.yaml"))
        let peer = "http://10.0.0.2:8081"
        let configuration = try Configuration.load(environment: ["PACKAGER_PEER": peer], file: file)
        #expect(configuration.channels.allSatisfy { $0.peer == peer && $0.state == "/var/lib/packager/group-1" })
        let names = try Self.groups().filter { $0.value == "group-1" }.keys.sorted()
        #expect(configuration.channels.map(\.name).sorted() == names)
    }

    @Test func everyGroupHasTwoMembersOnTwoMachines() throws {
        let proxy = try Self.text("fleet/haproxy.cfg")
        for group in Set(try Self.groups().values) {
            for backend in [group, "\(group)-parked"] {
                let section = proxy.split(separator: "\nbackend \(backend)\n").last ?? ""
                let lines = section.split(separator: "\n").prefix { $0.hasPrefix(" ") }
                let servers = lines.filter { $0.hasPrefix("    server ") }.compactMap {
                    $0.firstMatch(of: /10\.0\.0\.\d/)?.output
                }
                #expect(servers.count == 2 && Set(servers).count == 2, "\(backend)")
            }
        }
    }

    /// It is the unit of the package, but for what an instance has of its own.
    @Test func theUnitIsThatOfThePackage() throws {
        let changes = [
            ("and origin\n", "and origin, channels of %i\n"), ("/etc/packager/packager.yaml", "/etc/packager/%i.yaml"),
            ("/var/lib/packager/channels.yaml", "/var/lib/packager/%i/channels.yaml"),
            ("StateDirectory=packager\n", "StateDirectory=packager/%i\n"),
        ]
        var unit = try Self.text("system/packager.service")
        for (old, new) in changes { unit = unit.replacing(old, with: new) }
        func settings(_ text: String) -> [Substring] { text.split(separator: "\n").filter { !$0.hasPrefix("#") } }
        let own = settings(try Self.text("fleet/packager@.service"))
        #expect(own.filter { $0 != "EnvironmentFile=-/etc/packager/%i.env" } == settings(unit))
        #expect(own.contains("EnvironmentFile=-/etc/packager/%i.env"))
    }
}

import PackagerConfig
import Testing

/// Addresses that a configuration listens at.
@Suite struct AddressTests {
    private func read(_ text: String) throws -> ConfigurationReading {
        let file = ConfigurationFile(name: "packager.yaml", text: text)
        return try Configuration.read(flags: [:], environment: [:], file: file)
    }

    private func problems(_ text: String) throws -> [String] {
        let reading = try read(text)
        do throws(ConfigurationProblems) {
            _ = try reading.checked()
            return []
        } catch {
            return error.problems.map(\.description)
        }
    }

    @Test(
        arguments: [
            (
                "control: 127.0.0.1:8080",
                "packager.yaml:2: control: 'listen' and 'control' both listen on 127.0.0.1:8080"
            ),
            ("listen: 0.0.0.0:8081", "packager.yaml:2: listen: 'listen' and 'control' both listen on 127.0.0.1:8081"),
            ("listen: '[::]:8081'", "packager.yaml:2: listen: 'listen' and 'control' both listen on 127.0.0.1:8081"),
            (
                "keys-listen: 0.0.0.0:8081",
                "packager.yaml:2: keys-listen: 'control' and 'keys-listen' both listen on 0.0.0.0:8081"
            ),
        ]
    )
    func listenersHavePortsOfTheirOwn(line: String, problem: String) throws {
        #expect(try problems("input: udp://239.0.0.1:5000\n\(line)\n") == [problem + "; give each a port of its own"])
    }

    @Test(arguments: ["listen: 127.0.0.1:0\ncontrol: 127.0.0.1:0", "listen: 192.0.2.1:8080\ncontrol: 127.0.0.1:8080"])
    func othersDoNotDisturbEachOther(lines: String) throws {
        #expect(try problems("input: udp://239.0.0.1:5000\n\(lines)\n").isEmpty)
    }

    @Test func anAddressOfSeveralChannelsIsWarnedOf() throws {
        let text = """
            channels:
              - {name: a, input: 'udp://0.0.0.0:5000?fifo_size=1'}
              - {name: b, input: udp://239.0.0.1:5000}
              - {name: c, input: udp://239.0.0.1:5000}
              - {name: d, backup: udp://0.0.0.0:5000, input: udp://0.0.0.0:5001}
            """
        let warnings = try read(text).configuration.warnings.map(\.description)
        #expect(
            warnings == [
                "packager.yaml:5: channels[3].backup: channel a receives at 'udp://0.0.0.0:5000' too "
                    + "(packager.yaml:2: channels[0].input): only one of them gets the feed"
            ]
        )
    }

    @Test(
        arguments: [
            ("input: udp://0.0.0.0:5000", true), ("input: udp://239.0.0.1:5000", true),
            ("input: udp://127.0.0.1:5000", false), ("input: feed.ts", false),
            ("input: udp://127.0.0.1:5000\nbackup: 'srt://0.0.0.0:9000?mode=listener'", true),
            ("input: udp://0.0.0.0:5000\nlisten: 0.0.0.0:8080", false),
        ]
    )
    func originThatOnlyThisMachineReachesIsNoted(lines: String, isNoted: Bool) throws {
        let notices = try read(lines + "\n").notices
        #expect(!notices.isEmpty == isNoted)
        for notice in notices {
            #expect(
                notice.description == "listen (default): only this machine can reach 127.0.0.1:8080; "
                    + "write listen: 0.0.0.0:8080 for viewers on others, or let a proxy serve them"
            )
        }
    }
}

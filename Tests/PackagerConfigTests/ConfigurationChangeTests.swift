import Testing

@testable import PackagerConfig

@Suite struct ConfigurationChangeTests {
    private static func change(from running: String, to wanted: String) throws -> ConfigurationChange {
        ConfigurationChange(from: try load(running), to: try load(wanted))
    }

    private static let three = """
        window: 60
        channels:
          - {name: a, input: a.ts}
          - {name: b, input: b.ts}
          - {name: c, input: c.ts}
        """

    @Test func channelsAreToldApart() throws {
        let change = try Self.change(
            from: Self.three,
            to: """
                window: 60
                channels:
                  - {name: d, input: d.ts}
                  - {name: c, input: c.ts}
                  - {name: b, input: b.ts, window: 90}
                """
        )
        #expect(change.added.map(\.name) == ["d"])
        #expect(change.changed.map(\.name) == ["b"])
        #expect(change.removed.map(\.name) == ["a"])
        #expect(change.unchanged == ["c"])
        #expect(change.problems.isEmpty)
        #expect("\(change)" == "added d; changed b; removed a")
    }

    @Test func topLevelSettingChangesEveryChannel() throws {
        let change = try Self.change(from: Self.three, to: Self.three.replacing("window: 60", with: "window: 90"))
        #expect(change.changed.map(\.name) == ["a", "b", "c"])
    }

    @Test func theSameIsNoChange() throws {
        let change = try Self.change(from: Self.three, to: "# A comment.\n" + Self.three)
        #expect("\(change)" == "no channel has changed")
        #expect(change.unchanged == ["a", "b", "c"])
    }

    /// Every setting of the process but those that are taken up while it runs.
    @Test(arguments: [
        "listen: 127.0.0.1:9000", "control: 127.0.0.1:9001", "log-level: debug", "key-lease: 60", "key-rate: 6",
        "keys-listen: 127.0.0.1:9002", "token-parameter: t",
    ])
    func whatOnlyARestartCanChangeIsNamed(line: String) throws {
        let name = line.prefix { $0 != ":" }
        let change = try Self.change(from: Self.three, to: "\(line)\n\(Self.three)")
        #expect(change.problems == ["\(name): only a restart can change this"])
    }

    @Test func theLimitOfConnectionsCanChange() throws {
        let change = try Self.change(from: Self.three, to: "connections-per-address: 7\n\(Self.three)")
        #expect(change.problems.isEmpty)
    }

    @Test(arguments: [
        "event-retention: 3", "event-storage: 64M", "webhooks: [{url: \"https://a.example/b\", events: [gap]}]",
    ])
    func eventReceiversCanChange(line: String) throws {
        let change = try Self.change(from: Self.three, to: "\(line)\n\(Self.three)")
        #expect(change.problems.isEmpty && change.unchanged == ["a", "b", "c"])
    }

    /// The stream that players have would not continue.
    @Test(arguments: ["segment-duration: 2", "part-duration: 1", "format: ts", "key-rotation: 30"])
    func aStreamOnAirKeepsWhatItsNumbersAndKeysDependOn(line: String) throws {
        let running = "encryption: sample-aes\n\(Self.three)"
        let change = try Self.change(from: running, to: running.replacing("input: b.ts", with: "input: b.ts, \(line)"))
        let name = line.prefix { $0 != ":" }
        #expect(change.problems.count == 1)
        #expect(change.problems.first?.hasPrefix("channel b: \(name): ") == true, "\(change.problems)")
    }

    /// Their socket can be opened only once.
    @Test func programsOfOneFeedGetTheirReaderTogether() throws {
        let running = """
            channels:
              - {name: s, input: udp://127.0.0.1:5000, program: [10, 20]}
              - {name: t, input: udp://127.0.0.1:5001, program: [10]}
            """
        let more = try Self.change(from: running, to: running.replacing("[10, 20]", with: "[10, 20, 30]"))
        #expect(more.added.map(\.name) == ["s-30"])
        #expect(Set(more.changed.map(\.name)) == ["s-10", "s-20"])
        let fewer = try Self.change(from: running.replacing("[10, 20]", with: "[10, 20, 30]"), to: running)
        #expect(fewer.removed.map(\.name) == ["s-30"])
        #expect(fewer.changed.isEmpty)
    }
}

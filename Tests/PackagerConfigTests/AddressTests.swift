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

    /// RTMP has a port of its own if its URL names none.
    @Test(
        arguments: [
            ("tcp://0.0.0.0:8080?listen", "", "listen", "127.0.0.1:8080"),
            ("tcp://127.0.0.1:8081?listen=1", "", "control", "127.0.0.1:8081"),
            ("http://0.0.0.0:9000/feed?listen=1", "keys-listen: 127.0.0.1:9000", "keys-listen", "127.0.0.1:9000"),
            ("rtmp://0.0.0.0/live/key", "listen: 0.0.0.0:1935", "listen", "0.0.0.0:1935"),
        ]
    )
    func aFeedTakesNoPortOfAListener(feed: String, line: String, name: String, address: String) throws {
        let problems = try problems("input: \(feed)\n\(line)\n")
        #expect(
            problems == [
                "packager.yaml:1: input: '\(name)' listens on \(address), where this feed waits for its encoder; "
                    + "give the feed another port"
            ]
        )
    }

    @Test(
        arguments: [
            "udp://0.0.0.0:8080", "srt://0.0.0.0:8080?mode=listener", "tcp://192.0.2.1:8080",
            "tcp://127.0.0.2:8081?listen",
        ]
    )
    func feedsElsewhereTakeNoListenersPort(feed: String) throws {
        #expect(try problems("input: \(feed)\n").isEmpty)
    }

    @Test(arguments: ["listen: 127.0.0.1:0\ncontrol: 127.0.0.1:0", "listen: 192.0.2.1:8080\ncontrol: 127.0.0.1:8080"])
    func differentAddressesDoNotConflict(lines: String) throws {
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

    /// The port is opened once for all of them.
    @Test func programsOfOneFeedComeFromTheSameSenders() throws {
        func text(_ feed: String, _ one: String, _ other: String) -> String {
            """
            channels:
              - {name: a, input: '\(feed)', program: [10], allowed-publishers: \(one)}
              - {name: b, input: '\(feed)', program: [20], allowed-publishers: \(other)}
            """
        }
        let feed = "udp://0.0.0.0:5000"
        #expect(
            try problems(text(feed, "10.0.0.0/8", "192.0.2.0/24")) == [
                "packager.yaml:3: channels[1].allowed-publishers: '\(feed)' can be opened once for all its programs, and "
                    + "another channel takes it from other senders (packager.yaml:2: channels[0].allowed-publishers); give "
                    + "both the same allowed-publishers"
            ]
        )
        #expect(try problems(text(feed, "[10.0.0.0/8, 192.0.2.7]", "[192.0.2.7, 10.0.0.0/8]")).isEmpty)
        let multicast = "udp://239.0.0.1:5000"
        #expect(try problems(text(multicast, "10.0.0.0/8", "192.0.2.0/24")).isEmpty, "each may receive it")
    }

    /// They are told apart by their keys.
    @Test func publishersAtOnePortMayBeOthersForEachChannel() throws {
        let text = """
            channels:
              - {name: a, input: rtmp://0.0.0.0/live/one, allowed-publishers: 10.0.0.0/8}
              - {name: b, input: rtmp://0.0.0.0/live/two, allowed-publishers: 192.0.2.0/24}
            """
        #expect(try problems(text).isEmpty)
    }

    private static let unreachable =
        "only this machine can reach 127.0.0.1:8080: players on others get nothing. "
        + "Set listen (--listen) to 0.0.0.0:8080, or let a proxy on this machine serve them"

    @Test(
        arguments: [
            "input: udp://0.0.0.0:5000", "input: udp://239.0.0.1:5000", "input: feed.ts\nloop: true",
            "input: rtmp://203.0.113.5/live/main?listen=0",
        ]
    )
    func originThatOnlyThisMachineReachesIsNoted(lines: String) throws {
        let notices = try read(lines + "\n").notices.map(\.description)
        #expect(notices == ["listen (default): \(Self.unreachable)"])
    }

    @Test func addressThatWasWrittenIsNotedBesideAFeedFromElsewhere() throws {
        let notices = try read("input: udp://0.0.0.0:5000\nlisten: 127.0.0.1:8080\n").notices.map(\.description)
        #expect(notices == ["packager.yaml:2: listen: \(Self.unreachable)"])
    }

    @Test(
        arguments: [
            // All of it is said to be on this machine.
            "input: feed.ts\nlisten: 127.0.0.1:8080", "input: udp://127.0.0.1:5000\nlisten: 127.0.0.1:8080",
            "input: udp://0.0.0.0:5000\nlisten: 0.0.0.0:8080", "input: feed.ts\nlisten: '[::]:8080'",
            // A feed that is called, and one that this machine is asked for.
            "input: srt://127.0.0.1:9000\nlisten: 0.0.0.0:8080",
            // A job is asked nothing.
            "input: feed.ts\nrealtime: false\noutput: out",
        ]
    )
    func reachableAddressesAreNotNoted(lines: String) throws {
        #expect(try read(lines + "\n").notices.map(\.description) == [])
    }

    @Test(
        arguments: [
            ("udp://127.0.0.1:5000", "0.0.0.0 in place of 127.0.0.1"),
            ("srt://localhost:9000?mode=listener", "0.0.0.0 in place of localhost"),
            ("rtmp://[::1]/live/main", ":: in place of ::1"),
        ]
    )
    func feedThatOnlyThisMachineCanSendIsNoted(feed: String, advice: String) throws {
        let text = "listen: 0.0.0.0:8080\nchannels:\n  - {name: a, input: '\(feed)'}\n  - {name: b, input: b.ts}\n"
        let notices = try read(text).notices.map(\.description)
        #expect(notices.count == 1)
        #expect(notices[0].hasPrefix("packager.yaml:3: channels[0].input: only this machine can send to "))
        #expect(notices[0].hasSuffix("For an encoder on another, write \(advice)"))
    }

    @Test func machineThatNobodyElseReachesIsNotedAtBothEnds() throws {
        let notices = try read("input: udp://127.0.0.1:5000\n").notices.map(\.description)
        #expect(notices.count == 2 && notices[0] == "listen (default): \(Self.unreachable)")
    }
}

import Testing

@testable import PackagerConfig

/// Destinations that a channel is sent to.
@Suite struct PushSettingsTests {
    private static func push(_ yaml: String) throws -> [PushDescription] {
        try load("input: a.ts\nstate: /s\npush: \(yaml)").channels[0].push
    }

    @Test func aFlagSaysAllOfADestination() throws {
        let text =
            "s3://media/live/?endpoint=http%3A%2F%2Fh:8333&region=eu-central-1&addressing=host"
            + "&credentials=/etc/packager/s3&authority=/etc/ca.pem&expired=keep&backlog=2G&rate=20M&recordings=true"
        let flags = ["input": ["a.ts"], "state": ["/s"], "record": ["/r"], "push": [text]]
        let push = try Configuration.load(flags: flags).channels[0].push
        var expected = PushDescription()
        (expected.url, expected.endpoint, expected.region) = ("s3://media/live", "http://h:8333", "eu-central-1")
        (expected.addressing, expected.expired, expected.backlog) = (.host, .keep, 2 << 30)
        (expected.rate, expected.sendsRecordings) = (20_000_000, true)
        (expected.credentialsFile, expected.authorityFile) = ("/etc/packager/s3", "/etc/ca.pem")
        #expect(push == [expected])
        #expect(push[0].bucket.map { [$0.name, $0.prefix] } == ["media", "live"])
    }

    @Test func aFileSaysTheSame() throws {
        let push = try Self.push(
            """

              - { url: "s3://media", region: eu-central-1 }
              - { url: "https://ingest.example.com/live/", credentials: /etc/packager/cdn.fields }
            """
        )
        #expect(push.map(\.url) == ["s3://media", "https://ingest.example.com/live"])
        #expect(push[0].bucket.map { [$0.name, $0.prefix] } == ["media", ""] && push[1].bucket == nil)
        #expect(push.map(\.expired) == [.delete, .delete] && push.map(\.sendsRecordings) == [false, false])
        #expect(push.map(\.rate) == [nil, nil])
    }

    @Test(arguments: [
        "media/live", "s3://", "s3:///live", "s3://Media", "s3://m", "s3://media/a b", "s3://media/../x", "ftp://h/a",
        "https://h/a?b=c", "https://user:hunter2@h/a", "s3://media?colour=red", "s3://media?region", "http://",
        "s3://a_b",
    ])
    func whatIsNoDestinationIsRefused(text: String) {
        let found = problems(flags: ["input": ["a.ts"], "push": [text]])
        #expect(!found.isEmpty && found.allSatisfy { $0.hasPrefix("--push: ") && !$0.contains("hunter2") }, "\(found)")
    }

    @Test(arguments: [
        ("s3://media?region=EU", "is not a region"), ("s3://media?addressing=dns", "is not known"),
        ("s3://media?endpoint=h:80", "is not the URL of a server"), ("s3://media?expired=soon", "is not known"),
        ("https://h/a?region=eu", "only buckets have this"), ("s3://media?backlog=1", "is out of range"),
        ("s3://media?region=x.evil.example", "is not a region"), ("s3://media?rate=fast", "is no bit rate"),
        ("s3://media?rate=0", "is no bit rate"),
    ])
    func whatIsWrongIsNamed(text: String, words: String) {
        let found = problems(flags: ["input": ["a.ts"], "push": [text]])
        #expect(found.count == 1 && found[0].contains(words), "\(found)")
    }

    @Test func noTwoSendToOnePlace() throws {
        let one = problems(flags: ["input": ["a.ts"], "push": ["s3://media/a", "s3://media/a/"]])
        #expect(one.count == 1 && one[0].contains("another destination is"), "\(one)")
        let yaml = """
            channels:
              - { name: a, input: a.ts, push: [{ url: "https://h/live" }] }
              - { name: b, input: b.ts, push: [{ url: "https://h/live" }] }
            """
        let two = problems(flags: [:], yaml: yaml)
        #expect(two.count == 1 && two[0].contains("channels[1].push[0].url"), "\(two)")
        let first = try load("name: a\ninput: a.ts\npush: [{url: 's3://media/a'}]").channels[0]
        let second = try load("name: b\ninput: b.ts\npush: [{url: 's3://media/a'}]").channels[0]
        #expect(second.conflicts(with: [first]).count == 1)
        let elsewhere = "name: b\ninput: b.ts\npush: [{url: 's3://media/a', endpoint: 'http://h'}]"
        #expect(try load(elsewhere).channels[0].conflicts(with: [first]).isEmpty)
    }

    @Test func whoSendsRecordingsRecords() {
        let push = ["s3://media/a", "s3://media/b?recordings=true"]
        let found = problems(flags: ["input": ["a.ts"], "push": push])
        #expect(found.count == 1 && found[0].contains("set record as well"), "\(found)")
        #expect(problems(flags: ["input": ["a.ts"], "push": push, "record": ["/r"]]).isEmpty)
    }

    @Test func thereMayBeEight() throws {
        func destinations(_ count: Int) -> [String] { (0..<count).map { "s3://media/\($0)" } }
        func yaml(_ count: Int) -> String {
            let items = destinations(count).map { "{url: '\($0)'}" }
            return "[\(items.joined(separator: ", "))]"
        }
        #expect(try Self.push(yaml(8)).count == 8)
        let inFile = problems(flags: [:], yaml: "input: a.ts\nstate: /s\npush: \(yaml(9))")
        let words = "there are 9 destinations; allowed are 8"
        #expect(inFile.count == 1 && inFile[0].contains("push[8]") && inFile[0].contains(words), "\(inFile)")
        let flags = problems(flags: ["input": ["a.ts"], "push": destinations(9)])
        #expect(flags.count == 1 && flags[0].contains("--push: \(words)"), "\(flags)")
    }

    @Test func programsHaveFoldersOfTheirOwn() throws {
        let flags = ["input": ["udp://239.0.0.1:5000"], "program": ["101", "102"], "push": ["s3://media/dvb"]]
        let push = try Configuration.load(flags: flags).channels.map { $0.push.map(\.url) }
        #expect(push == [["s3://media/dvb/101"], ["s3://media/dvb/102"]])
    }

    @Test(arguments: [
        ("encryption: aes-128\nkey-secret: /k\nstate: /s", "s3://media", "keys are not sent"),
        ("encryption: none", "s3://media?expired=keep", "set state"),
    ])
    func whatMayNotBeMeantIsSaid(yaml: String, text: String, words: String) throws {
        let file = ConfigurationFile(name: "packager.yaml", text: yaml)
        let configuration = try Configuration.load(flags: ["input": ["a.ts"], "push": [text]], file: file)
        #expect(configuration.warnings.contains { $0.message.contains(words) }, "\(configuration.warnings)")
    }
}

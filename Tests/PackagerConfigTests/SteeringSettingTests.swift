import MediaCore
import Testing

@testable import PackagerConfig

/// Settings of content steering.
@Suite struct SteeringSettingTests {
    private static func yaml(_ pathways: String, _ more: String = "") -> String {
        "input: a.ts\nsteering:\n\(pathways.split(separator: "\n").map { "  - \($0)\n" }.joined())\(more)"
    }

    @Test func pathwaysComeInTheirOrder() throws {
        #expect(try load("input: a.ts").channels.map(\.pathways) == [[]])
        let configuration = try load(
            Self.yaml("{id: cdn-a, url: https://a.example.com/}\n{id: B.1_x, url: http://b:8080}", "steering-ttl: 10")
        )
        let channel = try #require(configuration.channels.first)
        #expect(channel.pathways.map(\.id) == ["cdn-a", "B.1_x"])
        #expect(channel.pathways.map(\.url) == ["https://a.example.com", "http://b:8080"])
        #expect(channel.steeringTTL == MediaTime(seconds: 10))
    }

    @Test func allChannelsHaveTheSameUnlessToldOtherwise() throws {
        let configuration = try load(
            """
            steering: [{id: a, url: https://a.example.com}]
            channels:
              - {name: one, input: a.ts}
              - {name: two, input: b.ts, steering: [{id: b, url: https://b.example.com}]}
            """
        )
        #expect(configuration.channels.map { $0.pathways.map(\.id) } == [["a"], ["b"]])
    }

    @Test(arguments: [
        ("{id: a}", "there is no url"), ("{url: https://a.example.com}", "there is no id"),
        ("{id: ., url: https://a.example.com}", "'.' is the pathway on which players begin"),
        ("{id: a b, url: https://a.example.com}", "'a b' is not the name of a pathway"),
        ("{id: a, url: ftp://a}", "'ftp://a' is not the URL of a server"),
        ("{id: a, url: a.example.com}", "is not the URL of a server"),
        ("{id: a, url: https://a.example.com/live}", "has a path"), ("{id: a, url: http://a/b}", "has a path"),
        ("{id: a, url: \"https://a.example.com?b\"}", "cannot be followed by a path"),
        ("{id: a, url: https://user@a.example.com}", "cannot have a user"),
        ("{id: a, url: https://a}\n{id: a, url: https://b}", "there is a pathway 'a' already"),
        ("{id: a, url: https://a}\n{id: b, url: https://a}", "there is a pathway to https://a already"),
    ])
    func otherPathwaysAreRefused(pathways: String, words: String) {
        let problems = problems(yaml: Self.yaml(pathways))
        #expect(problems.count == 1 && problems[0].contains(words), "\(problems)")
    }

    /// Each is asked all the time.
    @Test func thereMayBeEight() throws {
        func pathways(_ count: Int) -> String {
            (0..<count).map { "{id: a\($0), url: https://a\($0)}" }.joined(separator: "\n")
        }
        #expect(try load(Self.yaml(pathways(8))).channels.first?.pathways.count == 8)
        let problems = problems(yaml: Self.yaml(pathways(9)))
        #expect(problems.count == 1 && problems[0].contains("there are 9 pathways; allowed are 8"), "\(problems)")
    }

    @Test(arguments: ["4", "3601", "x"])
    func otherTimesAreRefused(ttl: String) {
        #expect(problems(yaml: Self.yaml("{id: a, url: https://a}", "steering-ttl: \(ttl)")).count == 1)
    }
}

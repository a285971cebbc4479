import PackagerConfig
import Testing

@Suite struct BandwidthSettingTests {
    private let feed = ["input": ["udp://127.0.0.1:5000"]]

    @Test func flagsEnvironmentAndFileSayTheSame() throws {
        let expected = [
            DeclaredBandwidth(rendition: "video-1080p", peak: 6_500_000, average: 5_000_000),
            DeclaredBandwidth(rendition: "audio-en", peak: 128_000, average: 128_000),
        ]
        let values = ["video-1080p=6.5M/5M", "audio-en=128k"]
        let flags = try Configuration.load(flags: feed.merging(["bandwidth": values]) { $1 })
        let environment = try Configuration.load(
            flags: feed,
            environment: ["PACKAGER_BANDWIDTH": values.joined(separator: ", ")]
        )
        let file = try load("input: udp://127.0.0.1:5000\nbandwidth: [\(values.joined(separator: ", "))]")
        for configuration in [flags, environment, file] {
            #expect(configuration.channels.map(\.bandwidths) == [expected])
            #expect(configuration.warnings.isEmpty)
        }
    }

    @Test(arguments: [
        "5M", "=5M", "video-360p=", "video-360p=fast", "video-360p=0", "video-360p=5M/6M", "video-360p=5M/",
        "video-360p=5M/4M/3M", "video-360p=1=2", "video-360p=-5M", "video-360p=99999999M",
    ])
    func whatIsNoBandwidthIsRefused(value: String) {
        let problems = problems(flags: feed.merging(["bandwidth": [value]]) { $1 })
        #expect(problems.count == 1)
        #expect(problems[0].hasPrefix("--bandwidth: '"))
    }

    @Test func aRenditionIsThereOnce() {
        let values = ["video-360p=1M", "video-360p=2M"]
        #expect(
            problems(flags: feed.merging(["bandwidth": values]) { $1 })
                == ["--bandwidth: the bandwidth of video-360p is there twice"]
        )
    }

    @Test func aWindowThatCannotFitIsSaidAtTheStart() throws {
        let configuration = try load(
            """
            input: udp://127.0.0.1:5000
            window: 7200
            maximum-memory: 1G
            bandwidth: [video-1080p=12M/10M, video-360p=5M]
            """
        )
        #expect(
            configuration.warnings.map(\.description) == [
                "packager.yaml:3: maximum-memory: a window of 7200 s with the declared bandwidths takes 12874M by itself; "
                    + "it will be shorter than that"
            ]
        )
    }
}

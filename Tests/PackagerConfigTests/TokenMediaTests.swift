import Testing

@testable import PackagerConfig

/// Settings of tokens for playlists and media.
@Suite struct TokenMediaTests {
    private static let tokens = "token-keys: /secrets/jwks.json\ntoken-media-secret: /secrets/pass"

    @Test func everybodyHasPlaylistsUnlessTokensAreAskedFor() throws {
        let configuration = try load("input: a.ts")
        #expect(configuration.tokenMedia == .off && configuration.tokenMediaSecret == nil)
        #expect(try load("input: a.ts\ntoken-media: off").tokenMedia == .off)
    }

    @Test(arguments: [TokenMedia.path, .cookie])
    func flagsEnvironmentAndFileSayTheSame(media: TokenMedia) throws {
        let given = [
            "token-keys": "/secrets/jwks.json", "token-media": media.rawValue, "token-media-secret": "/secrets/pass",
        ]
        let flags = try Configuration.load(flags: ["input": ["a.ts"]].merging(given.mapValues { [$0] }) { $1 })
        let variables = given.map { ("PACKAGER_\($0.key.uppercased().replacing("-", with: "_"))", $0.value) }
        let environment = try Configuration.load(
            flags: ["input": ["a.ts"]],
            environment: Dictionary(uniqueKeysWithValues: variables)
        )
        let file = try load("input: a.ts\n" + given.map { "\($0.key): \($0.value)\n" }.joined())
        for configuration in [flags, environment, file] {
            #expect(configuration.tokenMedia == media && configuration.tokenMediaSecret == "/secrets/pass")
        }
    }

    @Test(arguments: [
        (
            "token-media: path",
            ["tokens cannot be verified; set token-keys", "passes cannot be signed; set token-media-secret"]
        ),
        ("token-media: cookie\ntoken-keys: a", ["passes cannot be signed; set token-media-secret"]),
        ("token-media: path\ntoken-media-secret: a", ["tokens cannot be verified; set token-keys"]),
        ("token-media-secret: a\ntoken-keys: a", ["there are no passes to sign; set token-media"]),
        ("token-media: off\ntoken-media-secret: a", ["there are no passes to sign; set token-media"]),
        ("token-media: true\n\(tokens)", ["'true'", "there are no passes to sign"]),
    ])
    func settingsThatDoNotGoTogetherAreReported(settings: String, words: [String]) {
        let problems = problems(yaml: "input: a.ts\n\(settings)")
        #expect(problems.count == words.count, "\(problems)")
        for (problem, words) in zip(problems, words) { #expect(problem.contains(words), "\(problem)") }
    }
}

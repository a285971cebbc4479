import Testing

@testable import PackagerConfig

@Suite struct ChannelConflictsTests {
    private static func channel(_ name: String, input: String = "a.ts", output: String?) throws -> ChannelConfiguration
    {
        try Configuration.load(
            flags: ["name": [name], "input": [input]].merging(output.map { ["output": [$0]] } ?? [:]) { $1 }
        ).channels[0]
    }

    @Test(arguments: [("/srv/www", "/srv/./www/"), ("www", "./www"), ("/srv//www", "/srv/www")])
    func oneDirectoryHasOneWriter(output: String, other: String) throws {
        let first = try Self.channel("a", output: output)
        let second = try Self.channel("b", output: other)
        #expect(
            second.conflicts(with: [first]) == [
                "another channel writes to '\(other)' too (channel a); each needs its own"
            ]
        )
    }

    @Test func standardInputHasOneReader() throws {
        let first = try Self.channel("a", input: "-", output: nil)
        let second = try Self.channel("b", input: "pipe:0", output: nil)
        #expect(second.conflicts(with: [first]) == ["standard input can be read only once"])
    }

    @Test func othersHaveNothingInCommon() throws {
        let first = try Self.channel("a", input: "-", output: "www/a")
        #expect(try Self.channel("b", output: "www/b").conflicts(with: [first]).isEmpty)
        #expect(try Self.channel("c", output: "/www/a").conflicts(with: [first]).isEmpty)
        #expect(try Self.channel("d", output: nil).conflicts(with: [first]).isEmpty)
    }
}

import NIOCore
import TestSupport
import Testing

@testable import Control

@Suite struct SelectionCommandTests {
    private static func parse(_ text: String) throws(MalformedRequest) -> SelectionCommand {
        try SelectionCommand(json: ByteBuffer(string: text), inputs: ["input-1", "backup-1"])
    }

    @Test(arguments: [
        (#"{"input":"input-1"}"#, SelectionCommand.select(input: "input-1", hold: false)),
        (#" {"hold" : true, "input" : "backup-1"} "#, .select(input: "backup-1", hold: true)),
        (#"{"mode":"automatic"}"#, .automatic),
    ])
    func commandsAreRead(text: String, command: SelectionCommand) throws {
        #expect(try Self.parse(text) == command)
    }

    @Test(arguments: [
        ("", ["the body is not a JSON object"]), ("[]", ["the body is not a JSON object"]),
        ("{", ["the body is not a JSON object"]), ("null", ["the body is not a JSON object"]),
        ("{}", [#""input" or "mode" is missing"#]),
        (#"{"hold":true}"#, [#""input" or "mode" is missing"#]),
        (#"{"input":1,"hold":null}"#, [#""input" must be the name of an input"#, #""hold" must be true or false"#]),
        (#"{"input":""}"#, [#"there is no input ""; inputs: input-1, backup-1"#]),
        (#"{"mode":"held"}"#, [#""mode" must be "automatic""#]),
        (
            #"{"mode":[],"input":"input-1","x":{"y":[1]}}"#,
            [
                #""mode" must be "automatic""#, #""mode" does not go together with "input" or "hold""#,
                #"unknown key "x"; keys: input, hold, mode"#,
            ]
        ),
    ])
    func allProblemsAreListed(text: String, problems: [String]) {
        #expect(throws: MalformedRequest(problems)) { try Self.parse(text) }
    }

    @Test func noBytesTrapIt() {
        var generator = SeededGenerator(seed: 2)
        let valid = Array(#"{"input":"backup-1","hold":true,"mode":["automatic",{"x":1.5e3}]}"#.utf8)
        for _ in 0..<2000 {
            var bytes = valid
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                bytes[Int.random(in: bytes.indices, using: &generator)] = .random(in: 0...255, using: &generator)
            }
            bytes.removeLast(Int.random(in: 0..<bytes.count, using: &generator) / 2)
            _ = try? SelectionCommand(json: ByteBuffer(bytes: bytes), inputs: ["input-1"])
        }
        let nested = String(repeating: "[", count: 60_000)
        #expect(throws: MalformedRequest.self) { try Self.parse(#"{"input":"# + nested) }
    }
}

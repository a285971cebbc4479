import MediaCore
import Testing

@testable import PackagerConfig

/// Settings of the SCTE-35 that is read, and of the way it is told.
@Suite struct SpliceSettingTests {
    @Test func pidsAreNumbersInEitherNotation() throws {
        let channel = try #require(try load("input: a.ts\nscte35-pid: [auto, 500, 0x1F5]").channels.first)
        #expect(channel.splices.pids == [.automatic, .number(500), .number(501)])
        #expect(channel.splices.cueOutTags == .none && !channel.splices.hasMessages)
    }

    @Test(arguments: [
        ("scte35-pid: [9000]", "'9000' is no PID; allowed are 16 to 8190, 0x10 to 0x1FFE, and auto"),
        ("scte35-pid: [0xG]", "'0xG' is no PID; allowed are 16 to 8190, 0x10 to 0x1FFE, and auto"),
        ("format: ts\nscte35-emsg: true", "emsg is carried in fmp4 only"),
        ("scte35: none\nscte35-cue-out: duration", "splices are not announced with 'scte35: none'"),
        ("scte35: none\nscte35-emsg: true", "splices are not announced with 'scte35: none'"),
        ("scte35: none\nscte35-pid: [auto]", "splices are not announced with 'scte35: none'"),
    ])
    func whatCannotBeIsSaid(settings: String, message: String) {
        #expect {
            try load("input: a.ts\n\(settings)")
        } throws: { error in
            "\(error)".contains(message)
        }
    }

    @Test func sessionsCannotBeLookedInto() {
        #expect {
            try load("input: srtp://239.0.0.1:5000\nscte35-pid: [auto]")
        } throws: { error in
            "\(error)".contains("PIDs of srtp://239.0.0.1:5000 cannot be chosen")
        }
    }
}

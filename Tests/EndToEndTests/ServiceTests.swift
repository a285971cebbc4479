import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

/// The program as a service: its notifications to a supervisor, and its end under adverse conditions.
@Suite(.timeLimit(.minutes(5))) struct ServiceTests {
    /// A unit that became ready with its first playlist would keep a machine without an encoder from booting.
    @Test func readyWithoutAnEncoder() async throws {
        let directory = try TemporaryDirectory()
        let manager = try NotifySocket(directory.file("notify"))
        let program = try Program(
            Repository.packager,
            [
                "--input", "udp://127.0.0.1:\(Ports.free())", "--listen", "127.0.0.1:0", "--control", "127.0.0.1:0",
            ],
            environment: ["NOTIFY_SOCKET": manager.path]
        )
        let heard = Mutex("")
        _ = try await eventually(within: 60, "it is ready and says what it waits for") {
            let text = heard.withLock { heard in
                heard += manager.heard()
                return heard
            }
            return text.contains("READY=1") && text.contains("STATUS=Waiting for a feed: live.") ? true : nil
        }
        // What it says to the service manager may be heard before what it prints.
        let control = try await eventually(within: 10, "it says where its control API is") {
            program.output.split(separator: "\n").first { $0.hasPrefix("control http") }?.dropFirst("control ".count)
                .dropLast()
        }
        #expect(try await HTTP.get("\(control)/readyz").status == 200)
        #expect(try await HTTP.get("\(control)/readyz?on-air").status == 503)
        program.terminate()
        #expect(await program.exitCode() == 0)
    }

    /// The state directory is as systemd makes it for a unit with DynamicUser and StateDirectory.
    @Test func stateDirectoryMayBeALink() async throws {
        let directory = try TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: directory.file("private"), withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(atPath: directory.file("state"), withDestinationPath: "private")
        let path = try directory.write(
            "{input: \(Repository.feed), loop: true, state: \(directory.file("state")), api-allow: [\(Repository.feed)]}",
            to: "packager.yaml"
        )
        let packager = try await PackagerProcess([
            "--config", path, "--channels", directory.file("state/channels.yaml"),
        ])
        let answer = try await HTTP.get(
            "\(try packager.control)/channels/event",
            method: "PUT",
            fields: ["Content-Type": "application/yaml"],
            sending: "input: \(Repository.feed)\nloop: true\n"
        )
        #expect(answer.status == 201, "\(answer.text)")
        #expect(await packager.end() == 0)
        for name in ["channels.yaml", "events.sqlite"] {
            #expect(FileManager.default.fileExists(atPath: directory.file("private/\(name)")), "\(name)")
        }
        #expect(!packager.program.errors.contains("events are only in memory"))
    }

    @Test func configurationThatIsAFIFOIsRefusedAndNeverWaitedFor() async throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write("{input: \(Repository.feed), loop: true}", to: "packager.yaml")
        let packager = try await PackagerProcess(["--config", path])
        try FileManager.default.removeItem(atPath: path)
        try #require(mkfifo(path, 0o600) == 0)
        let check = try Program(Repository.packager, ["check-config", path])
        #expect(await check.exitCode() == 2)
        #expect(check.errors.contains("it is a FIFO or a device, not a file"), "\(check.errors)")
        let answer = try await HTTP.get("\(try packager.control)/reload", method: "POST")
        #expect(answer.status == 422 && answer.text.contains("it is a FIFO"), "\(answer.text)")
        kill(packager.program.identifier, SIGHUP)
        _ = try await eventually(within: 60, "the reload is refused twice") {
            packager.program.errors.split(separator: "nothing has changed").count > 2 ? true : nil
        }
        #expect(await packager.end() == 0)
    }

    @Test func filesThatASettingNamesAreNeverWaitedFor() async throws {
        let directory = try TemporaryDirectory()
        let fifo = directory.file("fifo")
        try #require(mkfifo(fifo, 0o600) == 0)
        let path = try directory.write(
            """
            tls-certificate: \(fifo)
            tls-private-key: \(fifo)
            control-tokens: \(fifo)
            token-keys: \(fifo)
            webhooks: [{url: "http://127.0.0.1:9/", secret-file: \(fifo)}]
            fairplay-provider: \(fifo)
            fairplay-certificate: \(fifo)
            fairplay-private-key: \(fifo)
            channels:
              - {name: a, input: \(Repository.feed), loop: true, on-loss: slate, slate: \(fifo), localized-names: \(fifo)}
              - {name: b, input: \(Repository.feed), loop: true, encryption: aes-128, key-secret: \(fifo)}
              - {name: c, input: \(Repository.feed), loop: true, encryption: aes-128, key-source: "file:\(fifo)"}
              - {name: d, input: \(Repository.feed), loop: true, peer: "https://127.0.0.1:9", peer-authority: \(fifo)}
            """,
            to: "packager.yaml"
        )
        let check = try Program(Repository.packager, ["check-config", path])
        #expect(await check.exitCode() == 2)
        let refused = check.errors.split(separator: "\n").filter { $0.contains("a FIFO") }
        for place in [
            ":1: tls-certificate:", ":2: tls-private-key:", ":3: control-tokens:", ":4: token-keys:",
            ":5: webhooks[0]: secret-file:", ":6: fairplay-provider:", ":7: fairplay-certificate:",
            ":8: fairplay-private-key:",
            ":10: channels[0].slate:", ":10: channels[0].localized-names:", ":11: channels[1].key-secret:",
            ":12: channels[2].key-source:", ":13: channels[3].peer-authority:",
        ] {
            #expect(refused.contains { $0.contains(place) }, "\(place) in \(check.errors)")
        }
    }

    /// Nobody asks a job anything.
    @Test func jobNamesNoAddresses() async throws {
        let directory = try TemporaryDirectory()
        let arguments = ["--input", Repository.feed, "--no-realtime", "--output", directory.file("out")]
        let output = try await Program.run(Repository.packager, arguments)
        #expect(!output.contains("http://"), "\(output)")
    }
}

/// A configuration is checked in one pass.
@Suite(.timeLimit(.minutes(5))) struct ConfigurationCheckTests {
    private func check(
        _ text: String,
        _ flags: [String] = []
    ) async throws -> (code: Int32, output: String, errors: String) {
        let directory = try TemporaryDirectory()
        let path = try directory.write(text, to: "packager.yaml")
        let program = try Program(Repository.packager, ["check-config", path] + flags)
        let code = await program.exitCode()
        @Sendable func named(_ text: String) -> String { text.replacing(path, with: "packager.yaml") }
        // The pipes may still hold what was written last.
        return try await eventually(within: 20, "it has said why") {
            let (output, errors) = (program.output, program.errors)
            guard code == 0 ? output.hasSuffix("\n") : errors.hasSuffix("\n") else { return nil }
            return (code: code, output: named(output), errors: named(errors))
        }
    }

    @Test func everythingIsSaidAtOnceWithItsPlace() async throws {
        let (code, _, errors) = try await check(
            """
            listen: 127.0.0.1:18443
            control: 127.0.0.1:18443
            state: /proc/nope
            windoww: 30
            webhooks: [{url: "http://127.0.0.1:9/", secret-file: /none.key}]
            access-log: /none/access.log
            channels:
              - name: a
                input: [/none-1.ts, /none-2.ts]
              - {name: b, input: udp://127.0.0.1:5000, output: /proc/out}
            """
        )
        #expect(code == 2)
        for problem in [
            "packager.yaml:2: control: 'listen' and 'control' both listen on 127.0.0.1:18443",
            "packager.yaml:3: state: /proc/nope: nothing can be written to /proc", "packager.yaml:4: windoww",
            "secret-file: ", "packager.yaml:6: access-log: /none/access.log: there is no directory /none/",
            "packager.yaml:9: channels[0].input[0]: /none-1.ts is not a file", "/none-2.ts is not a file",
            "packager.yaml:10: channels[1].output: /proc/out: nothing can be written to /proc",
        ] {
            #expect(errors.contains(problem), "\(problem) in \(errors)")
        }
        // What holds for both channels is said once.
        #expect(errors.split(separator: "/proc/nope").count == 2, "\(errors)")
    }

    @Test func warningsAreMarkedAndNoReasonToRefuse() async throws {
        let (code, output, errors) = try await check(
            """
            channels:
              - {name: a, input: udp://0.0.0.0:5000}
              - {name: b, input: udp://0.0.0.0:5000}
            """
        )
        #expect(code == 0 && errors.isEmpty, "\(errors)")
        #expect(output.contains("packager.yaml:3: channels[1].input: warning: channel a receives at"), "\(output)")
        #expect(output.contains("listen (default): notice: only this machine can reach 127.0.0.1:8080"), "\(output)")
        #expect(output.contains("packager.yaml can be used: 2 channels"), "\(output)")
    }

    @Test func aFileThatAReloadWouldRefuseIsNotCalledGood() async throws {
        let directory = try TemporaryDirectory()
        let text = "input: \(Repository.feed)\nloop: true\nsegment-duration: "
        let running = try directory.write("\(text)2\n", to: "running.yaml")
        let (code, output, errors) = try await check("\(text)4\n", ["--running", running])
        #expect(code == 2 && errors.contains("segment-duration: a reload cannot change this on air"), "\(errors)")
        #expect(!output.contains("can be used"), "\(output)")
        let same = try await check("\(text)2\n", ["--running", running])
        #expect(same.code == 0 && same.output.contains("can be used: 1 channel"), "\(same.output)")
    }

    @Test func aServiceNeedsItsAddressesAndDirectories() async throws {
        let other = try await PackagerProcess(["--input", Repository.feed, "--loop"])
        let address = try #require(other.origin.split(separator: "/").last)
        let text = "input: udp://127.0.0.1:5000\nlisten: \(address)\ncontrol: 127.0.0.1:0\n"
        #expect(try await check(text).code == 0)
        let (code, _, errors) = try await check(text, ["--as-service"])
        #expect(code == 2)
        let problem = "packager.yaml:2: listen: this user cannot listen on \(address): Address already in use"
        #expect(errors.contains(problem), "\(errors)")
    }
}

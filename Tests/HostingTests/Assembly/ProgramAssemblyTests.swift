import Archive
import MediaCore
import Origin
import PackagerConfig
import ServiceLifecycle
import TestSupport
import Testing

@testable import Hosting

/// The start of the program, up to the servers that listen.
@Suite(.timeLimit(.minutes(5))) struct ProgramAssemblyTests {
    // MARK: Start

    @Test func programListensAndSaysWhere() async throws {
        let stage = try await ProgramStage(ProgramStage.text(["keys-listen": "127.0.0.1:0"]))
        try await stage.running {
            let kinds = stage.lines.map { line in String(line.prefix { $0 != " " }) }
            #expect(kinds == ["control", "keys", "listening"])
            let addresses = ["control", "keys", "listening"].compactMap(stage.address)
            try #require(addresses.count == 3)
            #expect(addresses.allSatisfy { $0.hasPrefix("http://127.0.0.1:") && !$0.hasSuffix(":0/") })
            #expect(try await HTTP.get("\(addresses[0])readyz").status == 200)
            #expect(try await HTTP.get("\(addresses[1])channels.json").status == 404, "there are only keys")
            #expect(try await HTTP.get("\(addresses[2])channels.json").text == "{\"channels\":[\"live\"]}\n")
        }
    }

    /// Alert rules watch for keys that are refused, wherever players ask for them.
    @Test func requestsForKeysCountAtTheirOwnAddress() async throws {
        let stage = try await ProgramStage(ProgramStage.text(["keys-listen": "127.0.0.1:0"]))
        try await stage.running {
            let (control, keys) = (try #require(stage.address("control")), try #require(stage.address("keys")))
            #expect(try await HTTP.get("\(keys)live/keys/\(String(repeating: "0", count: 32))").status == 404)
            let metrics = try await HTTP.get("\(control)metrics").text
            let counts = metrics.split(separator: "\n").filter {
                $0.hasPrefix("packager_http_requests_total{kind=\"key\"")
            }
            #expect(counts.compactMap { $0.split(separator: " ").last }.contains("1"), "\(counts)")
        }
    }

    // MARK: Refusals

    @Test(arguments: ["listen", "control", "keys-listen"])
    func addressInUseIsRefusedWithItsSetting(setting: String) async throws {
        let taken = try TakenPort()
        let address = "127.0.0.1:\(taken.number)"
        let settings = ["keys-listen": "127.0.0.1:0"].merging([setting: address]) { $1 }
        let stage = try await ProgramStage(ProgramStage.text(settings))
        let help = "give another address with --\(setting), or port 0 for any free one"
        let problem = SetupProblem(setting, "cannot listen on \(address): Address already in use; \(help)")
        #expect(try await stage.refusal() == [problem])
        withExtendedLifetime(taken) {}
    }

    @Test func accessLogThatCannotBeMadeIsRefused() async throws {
        let stage = try await ProgramStage(ProgramStage.text(["access-log": "/none/access.log"]))
        let problem = SetupProblem("access-log", "/none/access.log: No such file or directory")
        #expect(try await stage.refusal() == [problem])
        #expect(stage.lines.isEmpty, "nothing listens")
    }

    @Test func allThatIsMissingIsSaidAtOnce() async throws {
        let webhooks = "\n  - {url: \"https://a.example/b\", secret-variable: NONE}"
        let stage = try await ProgramStage(ProgramStage.text(["input": "/none/feed.ts", "webhooks": webhooks]))
        let problems = try await stage.refusal()
        #expect(problems.map(\.setting) == ["webhooks", "input"], "\(problems)")
        #expect(problems.map(\.channel) == [nil, "live"])
        #expect(stage.lines.isEmpty, "nothing listens")
    }

    @Test func stateOfAnotherProcessIsRefused() async throws {
        let directory = try TemporaryDirectory()
        let state = directory.file("state")
        let other = try Journal.open(
            directory: state,
            channel: "live",
            configuration: [:],
            segmentDuration: MediaTime(seconds: 1)
        ) { _ in }
        let stage = try await ProgramStage(ProgramStage.text(["state": state]))
        let problem = SetupProblem(
            "state",
            of: "live",
            "the state directory \(state)/live is in use by another packager"
        )
        #expect(try await stage.refusal() == [problem])
        other.journal.close()
    }

    @Test func certificateThatIsMissingStartsNothing() async throws {
        let files = ["tls-certificate": "/none/certificate.pem", "tls-private-key": "/none/private.key"]
        await #expect {
            _ = try await ProgramStage(ProgramStage.text(files))
        } throws: {
            ($0 as? ConfigurationProblems)?.problems.map(\.message) == [
                "/none/certificate.pem: No such file or directory", "/none/private.key: No such file or directory",
            ]
        }
    }

    // MARK: Readiness

    /// The part of a start that waits for the servers, without servers.
    private struct Waiting {
        let media: MediaService
        let servers: ProgramAssembly.MediaServers
        let control = BoundPort()

        init(_ stage: ProgramStage) {
            let channels = Stage()
            servers = stage.assembly.mediaServers(of: channels.host.registry, nil)
            media = stage.assembly.mediaService(
                of: channels.host,
                servers,
                control,
                UpgradeStage(channels) { ScriptedSuccessor() }.upgrade
            )
        }

        /// Has all servers answer, at ports of their own.
        func answer() {
            control.set(8081)
            servers.keysPort.set(8443)
            servers.originPort.set(8080)
        }
    }

    @Test func managerHearsThatTheProgramIsReadyOnceAllServersAnswer() async throws {
        let directory = try TemporaryDirectory()
        let manager = try NotifySocket(directory.file("notify"))
        let stage = try await ProgramStage(environment: ["NOTIFY_SOCKET": manager.path])
        let waiting = Waiting(stage)
        waiting.answer()
        await waiting.media.whenListening()
        #expect(stage.lines == ["control http://127.0.0.1:8081/", "listening http://127.0.0.1:8080/"])
        #expect(manager.heard() == "READY=1\n")
    }

    @Test func programThatIsToldToEndIsNotReady() async throws {
        let directory = try TemporaryDirectory()
        let manager = try NotifySocket(directory.file("notify"))
        let stage = try await ProgramStage(environment: ["NOTIFY_SOCKET": manager.path])
        let media = Waiting(stage).media
        let start = Task { await media.whenListening() }
        start.cancel()
        await start.value
        #expect(stage.lines.isEmpty && manager.heard().isEmpty)
    }

    @Test func listenersWithCertificatesAreAnnouncedAsEncrypted() async throws {
        let directory = try TemporaryDirectory()
        let files = [
            "keys-certificate": try directory.write(TestCertificates.first, to: "certificate.pem"),
            "keys-private-key": try directory.write(TestCertificates.firstKey, to: "private.key"),
        ]
        let stage = try await ProgramStage(
            ProgramStage.text(files.merging(["keys-listen": "127.0.0.1:0"]) { $1 })
        )
        let waiting = Waiting(stage)
        waiting.answer()
        await waiting.media.whenListening()
        #expect(
            stage.lines == [
                "control http://127.0.0.1:8081/", "keys https://127.0.0.1:8443/", "listening http://127.0.0.1:8080/",
            ]
        )
    }

    /// Nobody asks a job for anything.
    @Test func jobAnnouncesTheAddressesThatWereGivenAlone() async throws {
        let directory = try TemporaryDirectory()
        let stage = try await ProgramStage(
            """
            input: \(Repository.smallFeed)
            realtime: false
            output: \(directory.file("out"))
            listen: 127.0.0.1:0

            """
        )
        let waiting = Waiting(stage)
        waiting.answer()
        await waiting.media.whenListening()
        #expect(stage.lines == ["listening http://127.0.0.1:8080/"])
    }

    // MARK: Services

    /// The services of a program, in the order in which they start.
    private static func services(of stage: ProgramStage) async -> [ServiceGroupConfiguration.ServiceConfiguration] {
        let waiting = Waiting(stage)
        let assembly = stage.assembly
        let reloader = ConfigurationReloader(
            assembly.running,
            assembly.source,
            waiting.media.host,
            assembly.records,
            clock: StoppedClock(),
            logger: assembly.logger
        )
        let control = assembly.controlServer(of: waiting.media.host, waiting.servers, reloader)
        let upgrade = UpgradeStage { ScriptedSuccessor() }.upgrade
        return await assembly.services(
            waiting.servers,
            control.server,
            reloader,
            nil,
            upgrade,
            waiting.media,
            assembly.hangups
        )
    }

    private static func names(_ services: [ServiceGroupConfiguration.ServiceConfiguration]) -> [String] {
        services.map { "\(type(of: $0.service))" }
    }

    /// Services end in the reverse order: events are kept until the last.
    @Test func eventsStartFirstAndChannelsLast() async throws {
        let services = await Self.services(of: try await ProgramStage())
        #expect(
            Self.names(services) == [
                "EventRecords", "ControlServer", "OriginServer", "ReloadService", "UpgradeService", "MediaService",
            ]
        )
        // The program is over when its channels are.
        #expect(services.last.map { "\($0.successTerminationBehavior)" } == "gracefullyShutdownGroup")
        #expect(services.last.map { "\($0.failureTerminationBehavior)" } == "gracefullyShutdownGroup")
        #expect(services.dropLast().allSatisfy { "\($0.failureTerminationBehavior)" == "cancelGroup" })
    }

    @Test func servicesAreThereWhereTheyHaveSomethingToDo() async throws {
        let directory = try TemporaryDirectory()
        let tokens = "ana operator \(String(repeating: "0", count: 64))\n"
        let settings = ["control-tokens": try directory.write(tokens, to: "tokens"), "keys-listen": "127.0.0.1:0"]
        let stage = try await ProgramStage(
            ProgramStage.text(settings),
            environment: ["NOTIFY_SOCKET": directory.file("notify")]
        )
        #expect(
            Self.names(await Self.services(of: stage)) == [
                "EventRecords", "ControlServer", "OriginServer", "OriginServer", "SecurityService",
                "SupervisionService", "ReloadService", "UpgradeService", "MediaService",
            ]
        )
    }

    // MARK: Listeners

    @Test func keysAtAnAddressOfTheirOwnTakeAPartOfTheConnections() async throws {
        let alone = try await ProgramStage().assembly
        #expect(alone.keysConfiguration == nil && alone.originConfiguration(channels: 1).resources == .everything)
        let assembly = try await ProgramStage(ProgramStage.text(["keys-listen": "127.0.0.1:8443"])).assembly
        let keys = try #require(assembly.keysConfiguration)
        let origin = assembly.originConfiguration(channels: 0)
        #expect(keys.host == "127.0.0.1" && keys.port == 8443 && keys.resources == .keys)
        #expect(origin.resources == .withoutKeys)
        let total = alone.originConfiguration(channels: 0).maximumConnections
        #expect(origin.maximumConnections + keys.maximumConnections == total)
    }

    @Test func oneAddressHasHalfOfTheConnectionsUnlessASettingSaysMore() async throws {
        let usual = try await ProgramStage().assembly.originConfiguration(channels: 1)
        #expect(usual.maximumConnectionsPerAddress == max(1, usual.maximumConnections / 2))
        let text = ProgramStage.text(["connections-per-address": "17"])
        let settings = try await ProgramStage(text).assembly.originConfiguration(channels: 1)
        #expect(settings.maximumConnectionsPerAddress == 17)
    }

    @Test(arguments: [("keys-listen", "127.0.0.1:8443"), ("key-rate", "120"), ("key-lease", "60")])
    func keysHaveConditionsWhereASettingNamesSome(setting: String, value: String) async throws {
        #expect(try await ProgramStage().assembly.keyResponder == nil)
        #expect(try await ProgramStage(ProgramStage.text([setting: value])).assembly.keyResponder != nil)
    }

    @Test func listenerThatMovesHasAnotherNameInAnUpgrade() async throws {
        let assembly = try await ProgramStage().assembly
        let names = [8080, 8081].map { port in
            assembly.listenerName("origin", ListenAddress(host: "127.0.0.1", port: port))
        }
        #expect(names == ["origin 127.0.0.1:8080", "origin 127.0.0.1:8081"])
    }
}

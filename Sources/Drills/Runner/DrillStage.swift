import Foundation
import MediaCore

/// Everything that a drill needs on this machine: folders, ports, configurations, the packagers and their feeds.
struct DrillStage: Sendable {
    private let scenario: Scenario
    private let folder: URL
    let packagers: [DrilledPackager]
    let subtitles: SubtitleSource?
    let cache: EdgeCache?
    /// Nil if all is on this machine.
    let machines: Machines?
    /// Each encoder, in the order of ``Scenario/targets``, with its port at each packager.
    private let encoders: [(configuration: FeedConfiguration, ports: [Int])]

    /// - Throws: ``DrillError``, ``TransportStreamError``, or an error of the file system.
    init(_ scenario: Scenario, program: String, folder: URL, machines: Machines? = nil) async throws {
        self.scenario = scenario
        self.machines = machines
        self.folder = folder
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let feeds = scenario.inputs + scenario.backups
        let encoders = try await Self.encoders(of: feeds, scenario, in: folder)
        self.encoders = encoders
        let secret = try Self.makeSecret(in: folder)
        let subtitles = scenario.subtitles.map {
            SubtitleSource(language: $0, path: folder.appending(path: "subtitles.vtt").path)
        }
        self.subtitles = subtitles
        // Caches keep a playlist for half a target duration.
        let lifetime = MediaTime(ticks: scenario.targetDuration.ticks / 2)
        cache = scenario.isCached ? EdgeCache(playlistLifetime: lifetime) : nil
        packagers = try (0..<scenario.packagers).map { member in
            let name = "packager-\(member + 1)"
            let state = scenario.keepsState ? folder.appending(path: "state-\(member + 1)") : nil
            if let state {
                // A drill starts from nothing, whatever the last one left.
                try? FileManager.default.removeItem(at: state)
                try FileManager.default.createDirectory(at: state, withIntermediateDirectories: true)
            }
            let address = Self.address(of: member, scenario, machines)
            let urls = zip(feeds, encoders).map { $0.transport.listeningURL(at: address, port: $1.ports[member]) }
            var document = PackagerDocument(scenario.options)
            document.add("input", Array(urls.prefix(scenario.inputs.count)))
            document.add("backup", Array(urls.dropFirst(scenario.inputs.count)))
            document.add("key-secret", scenario.isEncrypted ? [secret.path] : [])
            document.add("state", state.map { [$0.path] } ?? [])
            let configuration = folder.appending(path: "\(name).yaml")
            try document.text.write(to: configuration, atomically: true, encoding: .utf8)
            let launch = PackagerLaunch(
                program: program,
                configuration: configuration.path,
                state: state?.path,
                subtitles: subtitles?.option,
                disk: scenario.disk,
                machine: machines?.command(scenario.machine(of: member)) ?? []
            )
            return DrilledPackager(name, launch: launch, logPath: folder.appending(path: "\(name).log").path)
        }
    }

    /// The address of the machine that a packager runs on.
    private static func address(of member: Int, _ scenario: Scenario, _ machines: Machines?) -> String {
        machines?.address(scenario.machine(of: member)) ?? "127.0.0.1"
    }

    private static func encoders(
        of feeds: [Scenario.Feed],
        _ scenario: Scenario,
        in folder: URL
    ) async throws -> [(configuration: FeedConfiguration, ports: [Int])] {
        let ports = try FreePorts.take(feeds.count * scenario.packagers)
        var encoders: [(configuration: FeedConfiguration, ports: [Int])] = []
        for (index, feed) in feeds.enumerated() {
            let target = scenario.targets[index]
            let clips = try await EncodedClips.encode(feed, named: "\(target)", in: folder)
            let configuration = try scenario.feedConfiguration(feed, of: target, index: index, clips: clips)
            let range = index * scenario.packagers..<(index + 1) * scenario.packagers
            encoders.append((configuration, Array(ports[range])))
        }
        return encoders
    }

    /// Makes the secret that the members of a pair derive their keys from; it goes away with the drill.
    private static func makeSecret(in folder: URL) throws -> URL {
        let secret = folder.appending(path: "master.key")
        let key = Data((0..<32).map { _ in UInt8.random(in: .min ... .max) })
        let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
        guard FileManager.default.createFile(atPath: secret.path, contents: key, attributes: attributes) else {
            throw DrillError.failed("\(secret.path) cannot be written")
        }
        return secret
    }

    /// Starts all packagers, one after the other; the members of a pair are each other's peers.
    ///
    /// - Returns: The addresses of their listeners.
    func startPackagers() async throws -> [PackagerLaunch.Addresses] {
        // The first has to know the address of the second.
        let hosts = packagers.indices.map { Self.address(of: $0, scenario, machines) }
        let listens = packagers.count > 1 ? zip(hosts, try FreePorts.take(packagers.count)).map { "\($0):\($1)" } : []
        var addresses: [PackagerLaunch.Addresses] = []
        for (number, packager) in packagers.enumerated() {
            if !listens.isEmpty { packager.reserve(.init(listen: listens[number], control: "\(hosts[number]):0")) }
            let other = listens.indices.first { $0 != number }
            packager.start(peer: other.map { "http://\(listens[$0])" })
            addresses.append(try await packager.listening())
        }
        return addresses
    }

    /// Starts a packager that was killed.
    func restart(_ number: Int) {
        let other = packagers.indices.first { $0 != number - 1 }.flatMap { packagers[$0].addresses }
        packagers[number - 1].start(peer: other.map { "http://\($0.listen)" })
    }

    /// Cuts a machine off and kills the packagers that run on it.
    ///
    /// - Throws: ``DrillError`` if the machine cannot be cut off.
    func killMachine(_ number: Int) async throws(DrillError) {
        try await machines?.cut(number)
        for member in packagers.indices where scenario.machine(of: member) == number { packagers[member].kill() }
    }

    /// Connects a machine again and starts its packagers.
    ///
    /// - Throws: ``DrillError`` if the machine cannot be connected.
    func restartMachine(_ number: Int) async throws(DrillError) {
        try await machines?.connect(number)
        for member in packagers.indices where scenario.machine(of: member) == number { restart(member + 1) }
    }

    func makeSenders(_ origin: FeedOrigin) -> [FeedSender] {
        zip(scenario.inputs + scenario.backups, encoders).flatMap { feed, encoder in
            encoder.ports.enumerated().map { member, port in
                let address = Self.address(of: member, scenario, machines)
                let url = feed.transport.sendingURL(to: address, port: port)
                return FeedSender(encoder.configuration, to: url, origin: origin)
            }
        }
    }

    /// The commands that were run so far, for the report.
    var commands: [DrillReport.Command] {
        let feeds = zip(scenario.targets, zip(scenario.inputs + scenario.backups, encoders)).flatMap {
            target,
            encoder in
            encoder.1.ports.enumerated().map { member, port in
                let address = Self.address(of: member, scenario, machines)
                let sample = URL(filePath: encoder.0.samplePath).lastPathComponent
                let source = encoder.0.encoder.map { "\(sample), encoded with \($0)" } ?? sample
                let url = encoder.0.transport.sendingURL(to: address, port: port)
                let line = "\(source), timestamps \(encoder.0.timestamps.rawValue), to \(url)"
                return DrillReport.Command(part: "\(target)", line: line)
            }
        }
        return packagers.flatMap { packager in
            packager.commands.map { DrillReport.Command(part: packager.name, line: PackagerLaunch.line($0)) }
        } + feeds
    }

    /// Fills the disk of a packager's state to the last byte.
    ///
    /// - Throws: An error if that disk cannot be reached; a full disk is none.
    func fillDisk(of number: Int) throws {
        let path = try fillerPath(of: number)
        guard FileManager.default.createFile(atPath: path, contents: nil), let file = FileHandle(forWritingAtPath: path)
        else { throw DrillError.failed("\(path) cannot be written") }
        defer { try? file.close() }
        var count = 1 << 16
        while count >= 1 {
            // Full for so many bytes, it may have room for fewer.
            do { try file.write(contentsOf: Data(count: count)) } catch { count /= 2 }
        }
    }

    func freeDisk(of number: Int) throws {
        try FileManager.default.removeItem(atPath: try fillerPath(of: number))
    }

    /// The disk is mounted where only the packager sees it: it is reached through its process.
    private func fillerPath(of number: Int) throws -> String {
        guard let identifier = packagers[number - 1].identifier else {
            throw DrillError.failed("packager-\(number) is not running")
        }
        return "/proc/\(identifier)/root\(folder.appending(path: "state-\(number)/filler").path)"
    }

    /// Removes secrets and states, which are not needed afterwards.
    func clear() {
        try? FileManager.default.removeItem(at: folder.appending(path: "master.key"))
        for member in packagers.indices {
            try? FileManager.default.removeItem(at: folder.appending(path: "state-\(member + 1)"))
        }
    }
}

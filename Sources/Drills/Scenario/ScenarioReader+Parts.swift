import MediaCore
import PackagerConfig
import Yams

extension ScenarioReader {
    /// The options of the packagers.
    struct Options {
        var options: [Scenario.Option] = []
        var keepsState = false
    }

    /// The settings that a drill decides itself.
    private static let ownKeys: Set<String> = [
        "listen", "control", "name", "input", "backup", "program", "audio", "captions", "key-secret",
        "output", "output-keys", "push", "access-log", "peer", "record", "record-for", "record-size", "time-delay",
        // A drill's viewer has no token, and finds keys beside the media.
        "keys-listen", "keys-certificate", "keys-private-key", "key-url", "playlist-variables", "token-keys",
        "token-audience", "token-issuer", "token-parameter", "token-media", "token-media-secret", "key-rate",
        "key-lease", "fairplay-certificate",
        "fairplay-private-key", "fairplay-provisioning", "fairplay-provider", "fairplay-hdcp",
        // Nor does it know which certificates to trust.
        "tls-certificate", "tls-private-key", "control-certificate", "control-private-key", "control-client-authority",
        "control-tokens", "api-allow", "peer-authority",
        // A viewer of a drill knows one address.
        "steering", "steering-ttl",
        // A drill is over too soon for these to matter.
        "event-retention", "event-storage", "webhooks",
    ]

    mutating func readOptions(_ node: Node) -> Options {
        let keys = (Setting.ofProcess + Setting.ofChannel).map(\.name).filter { !Self.ownKeys.contains($0) }
        guard let section = readSection(node, "packager", keys: keys) else { return Options() }
        var options = Options()
        // In the order of the keys, so that the same file always makes the same command line.
        for key in keys {
            guard let value = section[key] else { continue }
            if key == "state" {
                options.keepsState = readFlag(value) ?? false
                continue
            }
            if key == "slate" {
                options.options.append(Scenario.Option(key, readSample(value, of: node).map { [$0] } ?? []))
                continue
            }
            let items = value.sequence.map { Array($0) } ?? [value]
            options.options.append(Scenario.Option(key, items.compactMap { readText($0) }))
        }
        checkOptions(options.options, section, node)
        return options
    }

    /// Lets the packager's own reader judge the values.
    private mutating func checkOptions(_ options: [Scenario.Option], _ section: [String: Node], _ node: Node) {
        var document = PackagerDocument(options)
        document.add("input", ["udp://127.0.0.1:1"])
        do throws(ConfigurationProblems) {
            _ = try Configuration.load(file: ConfigurationFile(name: file, text: document.text))
        } catch {
            for problem in error.problems {
                guard case .file(_, let line, _) = problem.origin, options.indices.contains(line - 1) else {
                    report(node, problem.message)
                    continue
                }
                let name = options[line - 1].name
                report(section[name] ?? node, "\(name): \(problem.message)")
            }
        }
    }

    mutating func readFeeds(_ node: Node) -> [Scenario.Feed] {
        readList(node, "feeds, like '- { transport: udp, timestamps: utc }',").map { readFeed($0) }
    }

    private mutating func readFeed(_ node: Node) -> Scenario.Feed {
        var feed = Scenario.Feed(transport: .udp, samplePath: "", timestamps: .utc)
        guard let section = readSection(node, "a feed", keys: ["transport", "sample", "encoder", "timestamps"]) else {
            return feed
        }
        feed.transport = section["transport"].flatMap { readChoice($0) } ?? .udp
        feed.timestamps = section["timestamps"].flatMap { readChoice($0) } ?? .utc
        feed.encoder = section["encoder"].flatMap { readText($0) }
        feed.samplePath = readSample(section["sample"], of: node) ?? ""
        return feed
    }

    mutating func readBreaks(_ node: Node, _ scenario: Scenario) -> [Scenario.Break] {
        var breaks: [Scenario.Break] = []
        for item in readList(node, "breaks, like '- { at: 8, for: 6, told: 4 }',") {
            guard let section = readSection(item, "a break", keys: ["at", "for", "told"]) else { continue }
            let start = require("at", in: section, of: item)
                .flatMap { readSpan($0, within: MediaTime(seconds: 0)...scenario.duration) }
            let length = require("for", in: section, of: item)
                .flatMap { readSpan($0, within: MediaTime(seconds: 1)...MediaTime(seconds: 3_600)) }
            let lead = section["told"]
                .flatMap { readSpan($0, within: MediaTime(milliseconds: 100)...MediaTime(seconds: 60)) }
            guard let start, let length else { continue }
            let new = Scenario.Break(start: start, length: length, lead: lead ?? MediaTime(seconds: 4))
            if let last = breaks.last, new.start < last.end {
                report(item, "it begins before the break above it is over")
            }
            breaks.append(new)
        }
        return breaks
    }

    /// Reads the path of a sample, by default the sample feed.
    mutating func readSample(_ node: Node?, of owner: Node) -> String? {
        guard let name = node.map({ readText($0) }) ?? "Samples/feed.ts" else { return nil }
        guard let path = sample(name) else {
            report(node ?? owner, "there is no file '\(name)' in this folder or one above it")
            return nil
        }
        return path
    }

    mutating func readDisk(_ node: Node) -> Scenario.Disk? {
        guard let section = readSection(node, "disk", keys: ["size", "slow"]) else { return nil }
        switch (section["size"], section["slow"]) {
        case (let size?, nil):
            guard let bytes = size.string.flatMap(Self.byteCount), bytes >= 65_536 else {
                report(size, "a number of bytes of at least 64K is expected, like '3M'")
                return nil
            }
            return .limited(bytes)
        case (nil, let slow?):
            let range = MediaTime(milliseconds: 1)...MediaTime(seconds: 60)
            return readSpan(slow, within: range).map { .slow($0) }
        default:
            report(node, "either 'size: 3M' or 'slow: 300 ms' is expected")
            return nil
        }
    }

    private static func byteCount(_ text: String) -> Int? {
        let shift = ["K": 10, "M": 20, "G": 30][text.last.map(String.init) ?? ""]
        guard let number = Int(shift == nil ? text[...] : text.dropLast()), (0...1 << 30).contains(number) else {
            return nil
        }
        return number << (shift ?? 0)
    }
}

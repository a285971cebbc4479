import MediaCore
import PackagerConfig
import Yams

/// Walks the nodes of a scenario file, noting everything that cannot be.
struct ScenarioReader {
    let file: String
    let sample: (String) -> String?
    private(set) var problems: [ScenarioProblem] = []

    init(file: String, sample: @escaping (String) -> String?) {
        self.file = file
        self.sample = sample
    }

    /// Reads all of it; nil if nothing can be made of it, which is then noted.
    mutating func readScenario(_ root: Node) -> Scenario? {
        let keys = [
            "description", "duration", "warm-up", "packager", "packagers", "balancer", "cache", "groups",
            "machines", "disk", "inputs", "backups", "breaks", "subtitles", "viewers", "faults", "expect",
        ]
        guard let section = readSection(root, "a scenario", keys: keys) else { return nil }
        let description = require("description", in: section, of: root).flatMap { readText($0) }
        let duration = require("duration", in: section, of: root)
            .flatMap { readSpan($0, within: MediaTime(seconds: 1)...MediaTime(seconds: 86_400)) }
        let options = section["packager"].map { readOptions($0) } ?? Options()
        let packagers = section["packagers"].flatMap { readInteger($0, within: 1...2) } ?? 1
        let inputs = require("inputs", in: section, of: root).map { readFeeds($0) } ?? []
        let backups = section["backups"].map { readFeeds($0) } ?? []

        var scenario = Scenario(
            name: name,
            description: description ?? "",
            duration: duration ?? MediaTime(seconds: 86_400),
            warmUp: .zero,
            options: options.options,
            keepsState: options.keepsState,
            inputs: inputs,
            backups: backups,
            packagers: packagers,
            isBalanced: section["balancer"].flatMap { readFlag($0) } ?? false,
            isCached: section["cache"].flatMap { readFlag($0) } ?? false,
            groups: section["groups"].flatMap { readInteger($0, within: 1...8) } ?? 1,
            machines: section["machines"].flatMap { readInteger($0, within: 2...16) } ?? 0,
            disk: section["disk"].flatMap { readDisk($0) },
            faults: [],
            expectations: []
        )
        let limits = MediaTime(seconds: 1)...MediaTime(seconds: 600)
        scenario.warmUp = section["warm-up"].flatMap { readSpan($0, within: limits) } ?? scenario.usualWarmUp
        scenario.breaks = section["breaks"].map { readBreaks($0, scenario) } ?? []
        scenario.subtitles = section["subtitles"].flatMap { readText($0) }
        scenario.viewers = section["viewers"].flatMap { readInteger($0, within: 1...5_000) } ?? 0
        scenario.faults = section["faults"].map { readFaults($0, scenario) } ?? []
        scenario.expectations = require("expect", in: section, of: root).map { readExpectations($0, scenario) } ?? []
        checkParts(of: scenario, section)
        return scenario
    }

    /// Checks that the parts fit together.
    private mutating func checkParts(of scenario: Scenario, _ section: [String: Node]) {
        if scenario.backups.count > 0, scenario.inputs.isEmpty, let node = section["backups"] {
            report(node, "there is no input that a backup could stand by for")
        }
        if scenario.isBalanced, scenario.packagers < 2, let node = section["balancer"] {
            report(node, "a balancer needs 'packagers: 2'")
        }
        if scenario.groups > 1, scenario.machines == 0, let node = section["groups"] {
            report(node, "several channels are for several machines: 'machines: 5'")
        }
        if scenario.machines > 0, scenario.packagers < 2, let node = section["machines"] {
            report(node, "machines are for pairs: 'packagers: 2'")
        }
        if scenario.disk != nil, !scenario.keepsState, let node = section["disk"] {
            report(node, "nothing is written to the disk without 'state: true' in packager")
        }
    }

    private var name: String {
        let last = file.split(separator: "/").last ?? ""
        return String(last.split(separator: ".").first ?? last)
    }

    // MARK: Nodes

    /// The values of a mapping by key; keys that are not among the known ones are noted.
    mutating func readSection(_ node: Node, _ what: String, keys: [String]) -> [String: Node]? {
        guard let mapping = node.mapping else {
            report(node, "\(what) is a list of keys with values: \(keys.joined(separator: ", "))")
            return nil
        }
        var section: [String: Node] = [:]
        for (keyNode, value) in mapping {
            let key = keyNode.string ?? ""
            if keys.contains(key) {
                section[key] = value
            } else {
                report(keyNode, "\(what) has no key '\(key)'; there are \(keys.joined(separator: ", "))")
            }
        }
        return section
    }

    mutating func require(_ key: String, in section: [String: Node], of node: Node) -> Node? {
        if section[key] == nil { report(node, "'\(key)' is missing") }
        return section[key]
    }

    /// The items of a list that has at least one.
    mutating func readList(_ node: Node, _ what: String) -> [Node] {
        guard let list = node.sequence, !list.isEmpty else {
            report(node, "a list of \(what) is expected")
            return []
        }
        return Array(list)
    }

    mutating func readText(_ node: Node) -> String? {
        guard let text = node.scalar?.string, !text.isEmpty, node.null == nil else {
            report(node, "a value is expected")
            return nil
        }
        return text
    }

    mutating func readFlag(_ node: Node) -> Bool? {
        guard let flag = node.bool else {
            report(node, "'true' or 'false' is expected")
            return nil
        }
        return flag
    }

    mutating func readInteger(_ node: Node, within range: ClosedRange<Int>) -> Int? {
        guard let number = node.int, range.contains(number) else {
            report(node, "a whole number from \(range.lowerBound) to \(range.upperBound) is expected")
            return nil
        }
        return number
    }

    mutating func readChoice<Choice: RawRepresentable & CaseIterable>(_ node: Node) -> Choice?
    where Choice.RawValue == String {
        guard let choice = node.string.flatMap(Choice.init(rawValue:)) else {
            let choices = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            report(node, "'\(node.string ?? "")' is none of \(choices)")
            return nil
        }
        return choice
    }

    /// Reads seconds, or milliseconds with `ms`.
    mutating func readSpan(_ node: Node, within range: ClosedRange<MediaTime>) -> MediaTime? {
        guard let span = node.string.flatMap(Self.span) else {
            report(node, "a time is expected, like '10', '2.5 s' or '300 ms'")
            return nil
        }
        guard range.contains(span) else {
            report(
                node,
                "from \(Self.seconds(range.lowerBound)) to \(Self.seconds(range.upperBound)) s is expected"
            )
            return nil
        }
        return span
    }

    static func span(_ text: String) -> MediaTime? {
        let inMilliseconds = text.hasSuffix("ms")
        let number = text.dropLast(inMilliseconds ? 2 : text.hasSuffix("s") ? 1 : 0)
        guard let value = Double(number.filter { $0 != " " }), value.isFinite, abs(value) < 1e9 else { return nil }
        return MediaTime(milliseconds: Int64((inMilliseconds ? value : value * 1000).rounded()))
    }

    static func seconds(_ time: MediaTime) -> String { Decimals.text(time.seconds, places: 3) }

    mutating func report(_ node: Node, _ message: String) {
        report(line: node.mark?.line ?? 1, message)
    }

    mutating func report(line: Int, _ message: String) {
        problems.append(ScenarioProblem(file: file, line: line, message: message))
    }
}

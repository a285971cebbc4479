import MediaCore
import Yams

extension ScenarioReader {
    mutating func readFaults(_ node: Node, _ scenario: Scenario) -> [ScriptedFault] {
        var faults: [(fault: ScriptedFault, node: Node)] = []
        for item in readList(node, "faults") {
            guard let fault = readFault(item, scenario) else { continue }
            if let problem = scenario.problem(of: fault) {
                report(item, problem)
                continue
            }
            let other = faults.first { $0.fault.collides(with: fault) }
            if let other, let line = other.node.mark?.line {
                report(item, "\(fault.target) has \(other.fault.action.name) of line \(line) at that time")
            }
            faults.append((fault, item))
        }
        return faults.map(\.fault).sorted { $0.start < $1.start }
    }

    private mutating func readFault(_ node: Node, _ scenario: Scenario) -> ScriptedFault? {
        let common = ["at", "target", "fault", "for"]
        let specific = ["rate", "of", "distance", "by", "ppm", "audio", "track", "sample"]
        guard let section = readSection(node, "a fault", keys: common + specific) else { return nil }
        let anything = MediaTime(seconds: -1_000_000)...MediaTime(seconds: 1_000_000)
        let start = require("at", in: section, of: node).flatMap { readSpan($0, within: anything) }
        let duration = section["for"].flatMap { readSpan($0, within: anything) }
        let target = require("target", in: section, of: node).flatMap { readTarget($0, scenario) }
        let action = require("fault", in: section, of: node).flatMap { readAction($0, section, of: node, scenario) }
        guard let start, let target, let action else { return nil }
        return ScriptedFault(target: target, action: action, start: start, duration: duration)
    }

    private mutating func readTarget(_ node: Node, _ scenario: Scenario) -> Scenario.Target? {
        let name = node.string ?? ""
        let target = scenario.targets.first { "\($0)" == name }
        if target == nil {
            let targets = scenario.targets.map(\.description).joined(separator: ", ")
            report(node, "there is no '\(name)' here; there are \(targets)")
        }
        return target
    }

    private mutating func readAction(
        _ node: Node,
        _ section: [String: Node],
        of fault: Node,
        _ scenario: Scenario
    ) -> ScriptedFault.Action? {
        let name = node.string ?? ""
        switch name {
        case ScriptedFault.Action.packagerKilledName: return .packagerKilled
        case ScriptedFault.Action.subtitlesLostName: return .subtitlesLost
        case ScriptedFault.Action.packagerUpgradedName: return .packagerUpgraded
        case ScriptedFault.Action.cacheKilledName: return .cacheKilled
        case ScriptedFault.Action.machineKilledName: return .machineKilled
        case ScriptedFault.Action.diskFullName:
            if case .limited = scenario.disk { return .diskFull }
            report(node, "only a disk with a size can be filled: 'disk: { size: 3M }'")
            return nil
        default:
            let own = [
                ScriptedFault.Action.packagerKilledName, ScriptedFault.Action.diskFullName,
                ScriptedFault.Action.subtitlesLostName, ScriptedFault.Action.packagerUpgradedName,
                ScriptedFault.Action.cacheKilledName, ScriptedFault.Action.machineKilledName,
            ]
            guard Fault.names.contains(name) else {
                report(node, "there is no fault '\(name)'; there are \((Fault.names + own).joined(separator: ", "))")
                return nil
            }
            return readFeedFault(name, section, of: fault).map { .feed($0) }
        }
    }

    private mutating func readFeedFault(_ name: String, _ section: [String: Node], of node: Node) -> Fault? {
        switch name {
        case "encoder-killed": return .encoderKilled
        case "encoder-frozen":
            return .encoderFrozen(freezesAudio: section["audio"].flatMap { readFlag($0) } ?? false)
        case "source-frozen": return .sourceFrozen
        case "source-silent": return .sourceSilent
        case "packets-stop": return .packetsStop
        case "loss":
            let unit = section["of"].flatMap { readUnit($0) } ?? .datagrams
            return readRate(section, of: node).map { .loss(rate: $0, of: unit) }
        case "reordering":
            let distance = section["distance"].flatMap { readInteger($0, within: 1...1000) } ?? 4
            return readRate(section, of: node).map { .reordering(rate: $0, distance: distance) }
        case "duplication": return readRate(section, of: node).map { .duplication(rate: $0) }
        case "stall": return .stall
        case "timestamp-jump":
            let days = MediaTime(seconds: -100_000)...MediaTime(seconds: 100_000)
            return require("by", in: section, of: node).flatMap { readSpan($0, within: days) }
                .map { .timestampJump(by: $0) }
        case "timestamp-wrap": return .timestampWrap
        case "clock-drift":
            let drifts = Int(Fault.drifts.lowerBound)...Int(Fault.drifts.upperBound)
            return require("ppm", in: section, of: node).flatMap { readInteger($0, within: drifts) }
                .map { .clockDrift(partsPerMillion: Int64($0)) }
        case "restart": return .restart
        case "configuration-change":
            return require("sample", in: section, of: node).flatMap { readSample($0, of: node) }
                .map { .configurationChange(samplePath: $0) }
        case "audio-lost":
            return .audioLost(track: section["track"].flatMap { readInteger($0, within: 1...64) }.map { $0 - 1 })
        case "video-lost": return .videoLost
        default:
            report(node, "'\(name)' cannot be scripted")
            return nil
        }
    }

    private mutating func readUnit(_ node: Node) -> Fault.TransportUnit? {
        let unit = node.string.flatMap { Fault.TransportUnit(rawValue: $0) }
        if unit == nil { report(node, "'\(node.string ?? "")' is none of datagrams, packets") }
        return unit
    }

    /// `1%` or `0.01`.
    private mutating func readRate(_ section: [String: Node], of node: Node) -> Double? {
        guard let rate = require("rate", in: section, of: node) else { return nil }
        let text = rate.string ?? ""
        let isPercent = text.hasSuffix("%")
        guard let value = Double(text.dropLast(isPercent ? 1 : 0).filter { $0 != " " }), value.isFinite else {
            report(rate, "a share is expected, like '1%'")
            return nil
        }
        return isPercent ? value / 100 : value
    }

    mutating func readExpectations(_ node: Node, _ scenario: Scenario) -> [MetricLimits] {
        let metrics = Metric.allCases.map(\.rawValue)
        guard let mapping = node.mapping, !mapping.isEmpty else {
            report(node, "limits of \(metrics.joined(separator: ", ")) are expected, like 'gap: 0'")
            return []
        }
        return mapping.compactMap { keyNode, value -> MetricLimits? in
            let name = keyNode.string ?? ""
            guard let metric = Metric(rawValue: name) else {
                report(keyNode, "nothing measures '\(name)'; there are \(metrics.joined(separator: ", "))")
                return nil
            }
            if metric == .differences, scenario.packagers < 2 {
                report(keyNode, "only a pair can differ: 'packagers: 2'")
            }
            if metric == .failedRequests, scenario.viewers == 0 {
                report(keyNode, "nobody asks for anything: 'viewers: 200'")
            }
            do throws(MetricLimits.MalformedLimits) {
                return try MetricLimits(metric, limits: value.string ?? "")
            } catch {
                report(value, "\(error)")
                return nil
            }
        }
    }
}

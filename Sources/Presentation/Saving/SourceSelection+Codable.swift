package import MediaCore

extension SourceSelection: Codable {
    private enum CodingKeys: String, CodingKey {
        case active
        case wholeRuns = "whole"
    }

    /// - Throws: `DecodingError`, also if numbers are beyond reason.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(active: SourceRank(try container.decode(Int.self, in: 0...1 << 10, forKey: .active)))
        for run in try container.decode([[Int64]].self, forKey: .wholeRuns) {
            guard let first = run.first, let last = run.last else {
                wholeRuns.append(nil)
                continue
            }
            let isSensible = run.count == 2 && first <= last && run.allSatisfy(ClosedRange.sensible.contains)
            try container.check(isSensible, .wholeRuns)
            wholeRuns.append(MediaSequenceNumber(first)...MediaSequenceNumber(last))
        }
    }

    /// Encodes a run as its first and its last slot, and a missing run as an empty list.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(active.value, forKey: .active)
        let runs = wholeRuns.map { run in run.map { [$0.lowerBound.value, $0.upperBound.value] } ?? [] }
        try container.encode(runs, forKey: .wholeRuns)
    }
}

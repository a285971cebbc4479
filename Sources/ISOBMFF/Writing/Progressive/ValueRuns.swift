import MediaCore

/// Values of samples in order, each with the number of samples that it holds for.
struct ValueRuns {
    private var runs: [(count: UInt32, value: UInt32)] = []

    /// Adds the value of the next sample.
    mutating func append(_ value: UInt32) {
        if let last = runs.last, last.value == value {
            runs[runs.count - 1].count += 1
        } else {
            runs.append((1, value))
        }
    }

    /// True if no value differs from zero.
    var areZero: Bool { runs.allSatisfy { $0.value == 0 } }

    /// Bytes of the number of runs and of all of them.
    var byteCount: Int { 4 + 8 * runs.count }

    func encode(into span: inout OutputRawSpan) {
        span.writeInteger(UInt32(runs.count))
        for run in runs {
            span.writeInteger(run.count)
            span.writeInteger(run.value)
        }
    }
}

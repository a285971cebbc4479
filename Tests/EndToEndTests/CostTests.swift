import Foundation
import TestSupport
import Testing

/// The cost of a packet, a slot and a GET in allocations and in instructions, which machines have in common.
///
/// NIO and others are built without optimisation, and take more than they do in service. A packet's share of what is published
/// is counted with it. Each figure may grow by a twentieth; a change that lowers one records it anew.
@Suite struct CostTests {
    private static let allocations = [
        "packet": 15.4, "slot": 850, "playlist": 9, "segment": 14, "plain-playlist": 0.1, "plain-segment": 1.02,
    ]
    private static let instructions: [String: Double] = [
        "packet": 133_800, "slot": 5_980_000, "playlist": 87_000, "segment": 96_000, "plain-playlist": 22_200,
        "plain-segment": 23_500,
    ]

    /// Work that the program has done.
    private struct Work {
        var name: String
        var count: Double
        var total: Double
    }

    @Test func nothingAllocatesMoreThanItDid() async throws {
        let output = try await Program.run(Repository.built("costs"), [Repository.feed])
        try Self.expect(try Self.works(output), within: Self.allocations)
    }

    /// Callgrind counts in user space, and needs no counter of the processor's: a virtual machine often has none.
    @Test func nothingTakesMoreInstructionsThanItDid() async throws {
        let directory = try TemporaryDirectory()
        let file = directory.file("counts")
        let output = try await Program.run(
            "valgrind",
            [
                "--tool=callgrind", "--combine-dumps=yes", "--callgrind-out-file=\(file)", "--dump-before=cost_mark",
                Repository.built("costs"), Repository.feed,
            ],
            environment: ["SWIFT_DETERMINISTIC_HASHING": "1"]
        )
        // A part ends with its total. Before each work, between two and after the last there is one, too.
        let totals = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").compactMap { line in
            line.hasPrefix("totals: ") ? Double(line.dropFirst(8)) : nil
        }
        var works = try Self.works(output)
        try #require(totals.count == 2 * works.count + 1, "\(totals)")
        for index in works.indices { works[index].total = totals[2 * index + 1] }
        #expect(works.allSatisfy { $0.total > 0 })
        try Self.expect(works, within: Self.instructions)
    }

    private static func works(_ output: String) throws -> [Work] {
        try output.split(separator: "\n").map { line in
            let words = line.split(separator: " ")
            try #require(words.count == 3, "\(line)")
            return Work(
                name: String(words[0]),
                count: try #require(Double(words[1])),
                total: try #require(Double(words[2]))
            )
        }
    }

    private static func expect(_ works: [Work], within recorded: [String: Double]) throws {
        var figures: [String: Double] = [:]
        for work in works {
            // The same packets in more slots: what they take more is of those.
            let others = work.name == "slot" ? works[0].total : 0
            figures[work.name] = (work.total - others) / work.count
        }
        for (name, limit) in recorded {
            let figure = try #require(figures[name], "\(figures)")
            #expect(figure <= 1.05 * limit, "\(name): \(figure), recorded: \(limit)")
        }
    }
}

import Foundation
import TestSupport
import Testing

/// The cost of a packet and of a GET in allocations, which is the same on every machine.
///
/// NIO and others are built without optimisation, and allocate more than they do in service. A packet's share of what is
/// published is counted with it. The limits are a twentieth above what was measured; who lowers the figures lowers them.
@Suite struct AllocationTests {
    @Test func aPacketAndAGetAllocateNoMoreThanTheyDid() async throws {
        let program = Repository.built("allocations")
        let output = try await Program.run(program, [Repository.feed])
        var figures: [String: Double] = [:]
        for line in output.split(separator: "\n") {
            let words = line.split(separator: " ")
            if words.count == 2, let figure = Double(words[1]) { figures[String(words[0])] = figure }
        }
        let limits = ["packet": 31.0, "playlist": 10.0, "segment": 14.7]
        for (name, limit) in limits {
            let figure = try #require(figures[name], "\(output)")
            #expect(figure > 0 && figure <= limit, "\(name): \(figure)")
        }
    }
}

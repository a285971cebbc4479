import HTTPServing
import Testing

@testable import Hosting

@Suite struct DescriptorBudgetTests {
    /// Connections never take the files that journal, inputs and listening sockets need.
    @Test(arguments: [200, 256, 700, 1024, 4096, 20_000, 524_288], [1, 30])
    func connectionsLeaveFilesToTheRest(limit: Int, channels: Int) {
        let budget = DescriptorBudget(limit: limit, channels: channels)
        let rest = limit - budget.viewers - budget.operators
        let leaving = 2 * ConnectionGate.Table.Limits(total: budget.viewers, perAddress: 1).leaving
        #expect(rest >= min(64 + budget.files + budget.copies + 32 * channels + leaving, limit * 3 / 4))
        #expect(budget.viewers >= budget.operators * 3)
        #expect((8...256).contains(budget.operators))
        #expect(budget.files <= limit / 16 && budget.copies <= limit / 64)
    }

    @Test func destinationsHaveTheirConnections() {
        let without = DescriptorBudget(limit: 20_000, channels: 4)
        let with = DescriptorBudget(limit: 20_000, channels: 4, destinations: 10)
        #expect((150...170).contains(without.viewers - with.viewers))
    }

    @Test func whatIsUsualIsEnoughForThousands() {
        let usual = DescriptorBudget(limit: 524_288, channels: 1)
        #expect(usual.viewers > 500_000)
        #expect(usual.operators == 256)
        #expect((usual.files, usual.copies) == (256, 64))
    }
}

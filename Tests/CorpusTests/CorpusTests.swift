import Testing

/// Channels publish what they published when the goldens were recorded, byte by byte.
@Suite struct CorpusTests {
    @Test(.timeLimit(.minutes(5)), arguments: Scenario.all)
    func whatIsPublishedIsWhatItWas(scenario: Scenario) async throws {
        let text = try await scenario.record()
        let golden = Golden(name: scenario.name)
        if Golden.isRecording { return try golden.record(text) }
        let difference = try golden.difference(from: text)
        #expect(difference == nil, "\(difference ?? "")")
    }

    @Test func everyGoldenIsOfAScenario() throws {
        if Golden.isRecording { return }
        #expect(try Set(Golden.names) == Set(Scenario.all.map(\.name)))
    }
}

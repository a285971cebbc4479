import Testing

@testable import Hosting

@Suite struct JobProgressTests {
    private func text(_ fraction: Double?, _ seconds: Int, published: Double) -> String {
        JobProgress(fraction: fraction, elapsed: .seconds(seconds), published: published, segments: 512, gaps: 1).text
    }

    @Test func itSaysHowFarHowFastAndHowLong() {
        #expect(
            text(0.25, 14, published: 434) == "25 % · 31 times real time · 0:42 left · 512 segments · 1 gaps"
        )
        #expect(text(0.5, 3723, published: 1861.5).hasPrefix("50 % · 0.5 times real time · 1:02:03 left · "))
    }

    @Test func whatIsNotKnownIsNotSaid() {
        #expect(text(nil, 10, published: 20) == "2.0 times real time · 512 segments · 1 gaps")
        #expect(text(0.001, 0, published: 0) == "0 % · 512 segments · 1 gaps")
    }
}

import MediaCore
import Testing

@testable import Ingest
@testable import Publishing

@Suite struct PublisherAdmissionTests {
    private static func request(_ path: String) -> PublishRequest { PublishRequest(application: "", name: path) }

    private static func admission(allowed: [String] = []) -> PublisherAdmission {
        var admission = PublisherAdmission()
        _ = admission.add("live/one", allowed: allowed.compactMap(AddressRange.init))
        _ = admission.add("live/two", allowed: [])
        return admission
    }

    @Test func eachKeyHasItsPlace() {
        var admission = Self.admission()
        #expect(admission.verdict(on: Self.request("live/two"), from: "10.0.0.1", connection: 1) == .accepted(place: 2))
        #expect(admission.verdict(on: Self.request("live/one"), from: "10.0.0.1", connection: 2) == .accepted(place: 1))
        #expect(admission.add("live/one", allowed: []) == nil)
    }

    @Test(arguments: ["live/three", "other/one", "live", "", "live/one/", "live/onee", "LIVE/one"])
    func anotherApplicationOrKeyIsRefused(path: String) {
        var admission = Self.admission()
        let isSame = path == "live/one/"
        let verdict = admission.verdict(on: Self.request(path), from: "10.0.0.1", connection: 1)
        let refusal = PublisherAdmission.Verdict.refused(.unknownStream, reason: PublisherAdmission.wrongKey)
        #expect(verdict == (isSame ? .accepted(place: 1) : refusal))
    }

    @Test func aSecondPublisherIsRefusedUntilTheFirstHasLeft() {
        var admission = Self.admission()
        let request = Self.request("live/one")
        _ = admission.verdict(on: request, from: "10.0.0.1", connection: 1)
        guard case .refused(.onAir, _) = admission.verdict(on: request, from: "10.0.0.2", connection: 2)
        else { Issue.record("it was let in"); return }
        admission.left(2)
        guard case .refused(.onAir, _) = admission.verdict(on: request, from: "10.0.0.2", connection: 3)
        else { Issue.record("it was let in"); return }
        admission.left(1)
        #expect(admission.verdict(on: request, from: "10.0.0.2", connection: 4) == .accepted(place: 1))
    }

    /// A publisher from elsewhere is not even told that there is such a stream.
    @Test func anotherAddressIsRefusedWhateverItsKey() {
        var admission = Self.admission(allowed: ["192.0.2.0/24"])
        let request = Self.request("live/one")
        let verdict = admission.verdict(on: request, from: "198.51.100.1", connection: 1)
        #expect(verdict == .refused(.unknownStream, reason: PublisherAdmission.wrongAddress))
        #expect(admission.verdict(on: request, from: "192.0.2.9", connection: 2) == .accepted(place: 1))
        #expect(admission.isWelcome("198.51.100.1"))
        admission.remove(2)
        #expect(!admission.isWelcome("198.51.100.1"))
    }

    @Test func whoTriesAllDayFillsNoLog() {
        var filter = RefusalFilter()
        let start = ContinuousClock.now
        let attempts: [(reason: String, second: Int)] = [("x", 0), ("x", 59), ("y", 59), ("x", 61), ("y", 61)]
        let told = attempts.map { filter.reports("10.0.0.1", $0.reason, at: start + .seconds($0.second)) }
        #expect(told == [true, false, true, true, false])
        let many = (0..<1000).count { filter.reports("10.0.1.\($0)", "x", at: start + .seconds(62)) }
        #expect(many == 14)
    }
}

import Glibc
import Operations
import Testing

/// Messages to systemd.
@Suite struct ServiceManagerTests {
    /// A datagram socket, as a service manager has one.
    private final class Ear {
        let descriptor: Int32

        init(_ path: [UInt8]) throws {
            descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
            let length = socklen_t(MemoryLayout<sa_family_t>.size + path.count)
            let result = withUnsafePointer(to: address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
            }
            try #require(result == 0)
        }

        deinit { close(descriptor) }

        /// Receives a notification; returns nil if there is none.
        func hear() -> String? {
            var bytes = [UInt8](repeating: 0, count: 4096)
            let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
            return count < 0 ? nil : String(decoding: bytes.prefix(count), as: UTF8.self)
        }
    }

    @Test func aManagerHearsNewsOnItsSocket() throws {
        let path = "/tmp/packager-notify-\(getpid())"
        defer { unlink(path) }
        let ear = try Ear(Array(path.utf8))
        let manager = try #require(ServiceManager(environment: ["NOTIFY_SOCKET": path]))
        manager.notify([.ready, .status("On air:\nlive"), .alive])
        #expect(ear.hear() == "READY=1\nSTATUS=On air: live\nWATCHDOG=1")
        manager.notify([])
        #expect(ear.hear() == nil)
        manager.notify([.stopping])
        #expect(ear.hear() == "STOPPING=1")
        manager.notify([.mainProcess(17)])
        #expect(ear.hear() == "MAINPID=17")
    }

    @Test func itsSocketMayBeAbstract() throws {
        let name = "packager-\(getpid())"
        let ear = try Ear([0] + Array(name.utf8))
        ServiceManager(environment: ["NOTIFY_SOCKET": "@\(name)"])?.notify([.alive])
        #expect(ear.hear() == "WATCHDOG=1")
    }

    /// Nothing is sent anywhere, and nothing waits.
    @Test func aManagerThatIsNotThereIsNotMissed() throws {
        ServiceManager(environment: ["NOTIFY_SOCKET": "/tmp/packager-nobody-\(getpid())"])?.notify([.alive])
        for text in ["", "@", "relative/path", "vsock:2:1", "/" + String(repeating: "x", count: 200)] {
            #expect(ServiceManager(environment: ["NOTIFY_SOCKET": text]) == nil, "\(text)")
        }
        #expect(ServiceManager(environment: [:]) == nil)
    }

    @Test(
        arguments: [
            (["WATCHDOG_USEC": "30000000"], .seconds(30)),
            (["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "17"], .seconds(30)),
            (["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "18"], nil), (["WATCHDOG_USEC": "0"], nil),
            (["WATCHDOG_USEC": "soon"], nil), ([:], nil),
        ] as [([String: String], Duration?)]
    )
    func theWatchdogIsThatOfThisProcess(environment: [String: String], period: Duration?) throws {
        let environment = environment.merging(["NOTIFY_SOCKET": "/run/notify"]) { first, _ in first }
        #expect(try #require(ServiceManager(environment: environment, processID: 17)).watchdogPeriod == period)
    }

    @Test func statusSaysWhatIsOnAirAndWhatWaits() {
        var report = ServiceReport()
        var observation = ServiceReport.Observation()
        observation.waiting = ["live", "sport"]
        #expect(report.news(of: observation) == [.status("Waiting for a feed: live, sport."), .alive])
        #expect(report.news(of: observation) == [.alive])
        (observation.onAir, observation.waiting, observation.viewers) = (["live"], ["sport"], 1)
        let status = "On air: live. Waiting for a feed: sport. 1 viewer."
        #expect(report.news(of: observation) == [.status(status), .alive])
        (observation.onAir, observation.withoutMedia) = ([], ["live"])
        let lost = "Without media: live. Waiting for a feed: sport. 1 viewer."
        #expect(report.news(of: observation) == [.status(lost), .alive])
        (observation.onAir, observation.withoutMedia) = (["live"], [])
        observation.isAlive = false
        #expect(report.news(of: observation) == [.status(status + " Something stands still.")])
        observation.onAir = (1...10).map { "channel-\($0)" }
        (observation.isAlive, observation.waiting, observation.viewers) = (true, [], 0)
        let names = (1...8).map { "channel-\($0)" }.joined(separator: ", ")
        #expect(report.news(of: observation) == [.status("On air: \(names) and 2 more. 0 viewers."), .alive])
    }

    @Test func aPulseThatStandsStillIsMissed() {
        let pulse = Pulse()
        #expect(pulse.isAlive(within: .seconds(3600)))
        #expect(!pulse.isAlive(within: .zero))
        pulse.beat()
        #expect(pulse.isAlive(within: .seconds(3600)))
        pulse.stop()
        #expect(pulse.isAlive(within: .zero))
    }
}

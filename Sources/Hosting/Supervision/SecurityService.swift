import Channels
import Control
import Dispatch
import Files
import HTTPServing
import Logging
import MediaCore
import Operations
import Presentation
import ServiceLifecycle

/// Takes up certificates and tokens whose files have changed, and warns of certificates that end soon.
struct SecurityService: Service {
    let security: ListenerSecurity
    let events: EventLog
    let clock: any UTCClock
    let logger: Logger
    /// Waits until the files are to be looked at again.
    var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

    /// The interval at which files are checked: certificates are renewed days before they expire.
    private static let period = Duration.seconds(5)
    /// The interval at which a certificate that ends soon is warned of.
    private static let reminder = MediaTime(seconds: 86_400)
    /// Reads the files on a thread of its own: their disk may be far away, and hang.
    private static let disk = DispatchQueue(label: "security.files", qos: .utility)

    func run() async {
        await cancelWhenGracefulShutdown {
            var warned = clock.now
            warn()
            while (try? await sleep(Self.period)) != nil {
                await look()
                guard clock.now - warned >= Self.reminder else { continue }
                warned = clock.now
                warn()
            }
        }
    }

    private func look() async {
        // Listeners may share a certificate: warnings wait until all have the new one.
        var isRenewed = false
        defer { if isRenewed { warn() } }
        for listener in security.listeners {
            let certificate = listener.certificate
            guard let news = try? await Self.disk.valueUnlessCancelled({ certificate.look() }) else { continue }
            switch news {
            case .success(let certificate):
                let expiry = certificate.expiry.iso8601
                tell(
                    .notice,
                    headline: "certificate renewed",
                    "The certificate of \(listener.path) has changed: new connections to \(listener.name) get it; it expires at \(expiry)."
                )
                isRenewed = true
            case .failure(let error):
                tell(
                    .error,
                    headline: "renewed certificate cannot be used",
                    "The certificate of \(listener.path) has changed and cannot be used (\(error)): "
                        + "new connections to \(listener.name) get the former one.",
                    viewers: "they notice nothing until the former one expires",
                    remedy: "correct the file; it is read again by itself"
                )
            }
        }
        guard let path = security.tokensPath, let tokens = security.tokens,
            let news = try? await Self.disk.valueUnlessCancelled({ tokens.look() })
        else { return }
        switch news {
        case .success:
            tell(
                .notice,
                headline: "control tokens changed",
                "The tokens of \(path) have changed: the new ones are in force."
            )
        case .failure(let error):
            tell(
                .error,
                headline: "changed control tokens cannot be used",
                "The tokens of \(path) have changed and cannot be used (\(error)): the former ones stay in force.",
                viewers: "they notice nothing",
                remedy: "correct the file; it is read again by itself"
            )
        }
    }

    private func warn() {
        for warning in security.warnings(at: clock.now) {
            tell(
                .warning,
                headline: "certificate expires soon",
                "\(warning).",
                viewers: "they are shut out once it has expired",
                remedy: "renew it; the new file is read by itself"
            )
        }
    }

    private func tell(
        _ level: Logger.Level,
        headline: String,
        _ message: String,
        viewers: String? = nil,
        remedy: String? = nil
    ) {
        events.noteConfiguration(level, message, at: clock.now)
        var metadata: Logger.Metadata = ["what": "\(message)"]
        if let viewers { metadata["viewers"] = "\(viewers)" }
        if let remedy { metadata["do"] = "\(remedy)" }
        logger.log(level: level, "\(headline)", metadata: metadata)
    }
}

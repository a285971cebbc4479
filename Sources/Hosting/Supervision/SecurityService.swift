import Channels
import Control
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

    func run() async {
        await cancelWhenGracefulShutdown {
            var warned = clock.now
            warn()
            // A disk that hangs holds up the files that are on it alone.
            let disks = security.listeners.map { DiskReader("security.\($0.name)") }
            let tokensDisk = DiskReader("security.tokens")
            while (try? await sleep(Self.period)) != nil {
                await look(disks, tokensDisk)
                guard clock.now - warned >= Self.reminder else { continue }
                warned = clock.now
                warn()
            }
        }
    }

    private func look(_ disks: [DiskReader], _ tokensDisk: DiskReader) async {
        // Listeners may share a certificate: warnings wait until all have the new one.
        var isRenewed = false
        defer { if isRenewed { warn() } }
        for (listener, disk) in zip(security.listeners, disks) {
            let certificate = listener.certificate
            guard let news = try? await disk.value({ certificate.look() }) else { continue }
            switch news {
            case .success(let certificate):
                let expiry = certificate.expiry.iso8601
                note(
                    .notice,
                    headline: "certificate renewed",
                    "The certificate of \(listener.path) has changed: new connections to \(listener.name) get it; it expires at \(expiry)."
                )
                isRenewed = true
            case .failure(let error):
                note(
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
            let news = try? await tokensDisk.value({ tokens.look() })
        else { return }
        switch news {
        case .success:
            note(
                .notice,
                headline: "control tokens changed",
                "The tokens of \(path) have changed: the new ones are in force."
            )
        case .failure(let error):
            note(
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
            note(
                .warning,
                headline: "certificate expires soon",
                "\(warning).",
                viewers: "they are shut out once it has expired",
                remedy: "renew it; the new file is read by itself"
            )
        }
    }

    private func note(
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

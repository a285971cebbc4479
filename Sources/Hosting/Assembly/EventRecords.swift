import ContentProtection
import EventDelivery
import Logging
import MediaCore
import Operations
import PackagerConfig
import ServiceLifecycle

/// Keeps events on disk, and delivers them to webhooks.
struct EventRecords: Service {
    let log: EventLog
    /// The store on disk, which keeps nothing without a state directory.
    let store: EventStore
    private let delivery: WebhookDispatcher
    /// Fired after each event.
    private let signal: EventSignal
    private let environment: [String: String]

    /// - Parameters:
    ///   - configuration: The settings of the process.
    ///   - former: The directory of the former process's events; nil if there is none.
    ///   - environment: The variables of the process.
    ///   - clock: The clock, in UTC.
    ///   - logger: Gets the reports for operators on the disk and on webhooks.
    ///   - onEvent: Called with each event, on any thread.
    init(
        _ configuration: PackagerConfig.Configuration,
        after former: String? = nil,
        environment: [String: String],
        clock: any UTCClock,
        logger: Logger,
        onEvent: @escaping @Sendable () -> Void
    ) async {
        let signal = EventSignal()
        // Readers of the events of an earlier process miss none of this one.
        let log = EventLog(after: Int(clock.now.milliseconds)) { _ in
            signal.fire()
            onEvent()
        }
        let watch = EventWatch(events: log, clock: clock, logger: logger)
        store = EventStore(
            directory: configuration.stateDirectory,
            former: former,
            retention: configuration.retention,
            now: { clock.now }
        ) { news in
            watch.note(news)
        }
        if let newest = await store.open() { log.begin(after: newest) }
        let history = EventHistory(log, archive: store)
        delivery = WebhookDispatcher(history: history, signal: signal, now: { clock.now }) { name, news in
            watch.note(news, of: name)
        }
        self.log = log
        self.signal = signal
        self.environment = environment
    }

    var webhookStatuses: [WebhookStatus] { delivery.statuses }

    /// The directory that has the events, for the process that takes the place of this one; nil if there is none.
    var directory: String? { store.keptDirectory }

    /// Returns the webhooks of a configuration, with their secrets.
    ///
    /// - Throws: ``SetupError`` with all missing secrets.
    func webhooks(_ configuration: PackagerConfig.Configuration) throws(SetupError) -> [Webhook] {
        try Webhook.all(configuration.webhooks, environment: environment)
    }

    /// Applies a configuration from now on.
    ///
    /// - Parameters:
    ///   - configuration: The configuration.
    ///   - webhooks: The result of ``webhooks(_:)``.
    ///   - start: The number of the event after which new webhooks begin; nil for the newest.
    func take(up configuration: PackagerConfig.Configuration, _ webhooks: [Webhook], after start: Int? = nil) {
        store.update(configuration.retention)
        // If no channel has a state directory any more, events stay in the old one until the next start.
        if let directory = configuration.stateDirectory { store.move(to: directory) }
        delivery.update(webhooks, after: start ?? log.newest)
    }

    /// Stores and delivers events until it is cancelled.
    func run() async {
        await withGracefulShutdownHandler {
            // The service runs even without a directory: a service that returns ends the program.
            await store.follow(log, signal)
        } onGracefulShutdown: {
            signal.finish()
        }
        await delivery.stop()
    }
}

extension PackagerConfig.Configuration {
    /// The directory of events, which are those of all channels.
    fileprivate var stateDirectory: String? { channels.lazy.compactMap(\.state).first }

    fileprivate var retention: EventRetention {
        EventRetention(duration: eventRetention, maximumBytes: eventStorage)
    }
}

extension Webhook {
    /// Webhooks with their secrets.
    ///
    /// - Throws: ``SetupError`` with all missing secrets.
    static func all(
        _ descriptions: [WebhookDescription],
        environment: [String: String]
    ) throws(SetupError) -> [Webhook] {
        var problems: [SetupProblem] = []
        var names: [String: Int] = [:]
        let webhooks = descriptions.enumerated().map { index, description in
            let host = description.host
            let count = names[host, default: 0] + 1
            names[host] = count
            var webhook = Webhook(
                name: count == 1 ? host : "\(host)-\(count)",
                url: description.url,
                kinds: Set(description.kinds)
            )
            do throws(SetupError) {
                webhook.secret = try description.secret(environment)
            } catch {
                problems += error.problems.map { SetupProblem("webhooks", at: index, $0) }
            }
            return webhook
        }
        if !problems.isEmpty { throw SetupError(problems) }
        return webhooks
    }
}

extension WebhookDescription {
    /// The host of its URL, for operators.
    fileprivate var host: String {
        let authority = url.drop { $0 != "/" }.dropFirst(2).prefix { !"/?#".contains($0) }
        return authority.lowercased()
    }

    fileprivate func secret(_ environment: [String: String]) throws(SetupError) -> [UInt8]? {
        let secret: [UInt8]
        if let path = secretFile {
            do {
                let bytes = try SecretFile.contents(path: path, atMost: 4096)
                // An editor ends its last line; the secret does not.
                secret = bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes
            } catch {
                throw SetupError("secret-file: \(error)")
            }
            if secret.isEmpty { throw SetupError("secret-file: \(path) is empty") }
        } else if let variable = secretVariable {
            guard let value = environment[variable], !value.isEmpty else {
                throw SetupError("secret-variable: the environment has no \(variable)")
            }
            secret = Array(value.utf8)
        } else {
            return nil
        }
        return secret
    }
}

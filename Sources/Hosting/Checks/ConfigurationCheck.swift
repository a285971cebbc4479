import EventDelivery
package import Logging
import MediaCore
import Operations
package import PackagerConfig

/// Everything that a start would refuse, found without starting: by `check-config`, and by a start that is refused.
package struct ConfigurationCheck {
    let reading: ConfigurationReading
    let endpoint: KeyEndpoint
    let security: ListenerSecurity
    let environment: [String: String]
    let logger: Logger

    /// - Parameters:
    ///   - reading: The configuration and its problems.
    ///   - endpoint: The gate in front of its keys.
    ///   - security: The certificates of its listeners.
    ///   - environment: The variables of the process.
    ///   - logger: Gets messages during the check.
    package init(
        reading: ConfigurationReading,
        endpoint: KeyEndpoint,
        security: ListenerSecurity,
        environment: [String: String],
        logger: Logger
    ) {
        self.reading = reading
        self.endpoint = endpoint
        self.security = security
        self.environment = environment
        self.logger = logger
    }

    /// The problems in addition to those of reading, each with the place of its setting.
    package var problems: [ConfigurationProblem] {
        get async {
            let configuration = reading.configuration
            var items = await assembly.problems(of: configuration.channels)
            do throws(SetupError) {
                _ = try Webhook.all(configuration.webhooks, environment: environment)
            } catch {
                items += error.items
            }
            if let path = configuration.accessLog, path != "-", let obstacle = AccessLogFile.obstacle(to: path) {
                items.append(SetupProblem("access-log", obstacle))
            }
            return endpoint.problems + security.problems + reading.located(items)
        }
    }

    /// Returns the problems of a running packager with this configuration, as far as files show them.
    ///
    /// - Parameter running: Its present configuration.
    /// - Returns: The problems, with the places of settings.
    package func problems(after running: PackagerConfig.Configuration) -> [ConfigurationProblem] {
        let change = ConfigurationChange(from: running, to: reading.configuration)
        // Channels without a file of their secret keep the one that one assembly makes up.
        let assembly = assembly
        let identities = assembly.knownIdentities(of: running.channels)
        let keys = change.changed.compactMap { assembly.problem(ofKeysOf: $0, after: identities[$0.name]) }
        let taken = ChannelHost.conflicts(
            of: change.added + change.changed,
            beside: running.channels,
            removing: Set(change.removed.map(\.name))
        )
        return reading.located((change.problems + taken).map { SetupProblem($0) } + keys)
    }

    private var assembly: ChannelAssembly {
        ChannelAssembly(
            clock: SystemClock(),
            events: EventLog(),
            logger: logger,
            keyDelivery: KeyDelivery(reading.configuration),
            environment: environment
        )
    }
}

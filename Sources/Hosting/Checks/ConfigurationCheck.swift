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
    ///   - reading: The configuration as it was read.
    ///   - endpoint: The gate in front of its keys.
    ///   - security: The certificates of its listeners.
    ///   - environment: The variables of the process.
    ///   - logger: Gets what is found on the way.
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

    /// Problems beside those that the configuration was read with, each where its setting was written.
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

    /// Problems that a packager on air would have with taking the configuration up, as far as files tell them.
    ///
    /// - Parameter running: The configuration that it runs by.
    /// - Returns: The problems, those of a setting where it was written.
    package func problems(after running: PackagerConfig.Configuration) -> [ConfigurationProblem] {
        let change = ConfigurationChange(from: running, to: reading.configuration)
        // Channels without a file of their secret keep the one that one assembly makes up.
        let assembly = assembly
        let identities = assembly.knownIdentities(of: running.channels)
        let keys = change.changed.compactMap { assembly.problem(ofKeysOf: $0, after: identities[$0.name]) }
        return reading.located(change.problems.map { SetupProblem($0) } + keys)
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

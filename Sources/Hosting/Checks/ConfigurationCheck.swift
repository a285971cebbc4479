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
    ///   - endpoint: What stands before its keys.
    ///   - security: How its listeners prove who they are.
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
            let assembly = ChannelAssembly(
                clock: SystemClock(),
                events: EventLog(),
                logger: logger,
                keyDelivery: KeyDelivery(configuration),
                environment: environment
            )
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
}

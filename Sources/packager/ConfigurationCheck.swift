import EventDelivery
import Logging
import MediaCore
import Operations
import PackagerConfig

/// Everything that a start would refuse, found without starting: by `check-config`, and by a start that is refused.
struct ConfigurationCheck {
    let reading: ConfigurationReading
    let endpoint: KeyEndpoint
    let security: FaceSecurity
    let environment: [String: String]
    let logger: Logger

    /// Problems beside those that the configuration was read with, each where its setting was written.
    var problems: [ConfigurationProblem] {
        get async {
            let configuration = reading.configuration
            let assembly = ChannelAssembly(
                clock: SystemClock(),
                events: EventLog(),
                logger: logger,
                keyDelivery: KeyDelivery(configuration)
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

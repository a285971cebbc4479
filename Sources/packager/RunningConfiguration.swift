import PackagerConfig
import Synchronization

/// What the process does now, as its configuration says it.
final class RunningConfiguration: Sendable {
    private let state: Mutex<Configuration>

    init(_ configuration: Configuration) {
        state = Mutex(configuration)
    }

    var value: Configuration {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}

import PackagerConfig
import Synchronization

/// What the process does now, as its configuration says it.
final class RunningConfiguration: Sendable {
    private let state: Mutex<(value: Configuration, texts: ConfigurationTexts)>

    /// - Parameters:
    ///   - configuration: What was read.
    ///   - texts: From what.
    init(_ configuration: Configuration, of texts: ConfigurationTexts) {
        state = Mutex((configuration, texts))
    }

    var value: Configuration { state.withLock { $0.value } }

    /// What it was read from.
    var texts: ConfigurationTexts { state.withLock { $0.texts } }

    func become(_ configuration: Configuration, of texts: ConfigurationTexts) {
        state.withLock { $0 = (configuration, texts) }
    }
}

import PackagerConfig
import Synchronization

/// The configuration of the running process.
final class RunningConfiguration: Sendable {
    private let state: Mutex<(value: Configuration, texts: ConfigurationTexts)>

    /// - Parameters:
    ///   - configuration: The configuration that was read.
    ///   - texts: The texts that it was read from.
    init(_ configuration: Configuration, of texts: ConfigurationTexts) {
        state = Mutex((configuration, texts))
    }

    var value: Configuration { state.withLock { $0.value } }

    /// The texts that it was read from.
    var texts: ConfigurationTexts { state.withLock { $0.texts } }

    func become(_ configuration: Configuration, of texts: ConfigurationTexts) {
        state.withLock { $0 = (configuration, texts) }
    }
}

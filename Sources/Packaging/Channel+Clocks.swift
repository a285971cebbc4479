import Logging
import MediaCore
import Presentation
import Synchronization
import Timeline

/// What is said of clocks: this machine's, and the inputs'.
extension Channel {
    /// A clock that was set is told, and not followed.
    func watchClock() {
        // Both are of this moment: getting here may have taken long.
        let (now, wallClock) = (clock.now, clock.wallClock)
        guard let news = state.withLock({ $0.clockWatch.observe(now, wallClock: wallClock) }) else { return }
        note(.clock, news)
        logger.error("clock", metadata: ["what": "\(news)"])
    }

    /// It is known with which inputs one is in sync.
    func inputTimed(_ what: String, input: InputID) {
        logger.notice("input timing", metadata: ["input": "\(input)", "what": "\(what)"])
        note(.timing, what, input: input)
    }

    /// An input is faster or slower than real time.
    func inputRunsFalse(_ what: String, isLoss: Bool, input: InputID) {
        let metadata: Logger.Metadata = ["input": "\(input)", "what": "\(what)"]
        logger.log(level: isLoss ? .warning : .notice, "input timing", metadata: metadata)
        note(.timing, what, input: input)
    }
}

import MediaCore
import Synchronization

/// A feed that was opened beside whoever reads it, for a reader that is to go on with it.
package final class OpenFeed: Sendable {
    let signal = StopSignal()
    let tape = FeedTape()
    private let source: Mutex<FeedSource?>

    /// Opens it: what is sent to a port of this machine comes here from now on, and no more to whoever has it open.
    ///
    /// Nil where one reader at a time can have such a feed, or none can go on where another left off.
    ///
    /// - Parameter location: As an ``InputReader`` gets it.
    /// - Throws: ``FFmpegError``.
    package init?(opening location: String) throws(FFmpegError) {
        let address = FeedAddress(FeedLocation(location))
        guard address.canGoOn else { return nil }
        source = Mutex(nil)
        let source = try FeedSource(opening: address, besideOthers: true, signal: signal, tape: tape)
        self.source.withLock { $0 = source }
    }

    /// Has its reader begin with what another has read of it.
    package func goOn(after bytes: [UInt8]) { source.withLock { $0?.goOn(after: bytes) } }

    /// What its reader reads from first; nil the second time.
    func take() -> FeedSource? {
        source.withLock { source in
            defer { source = nil }
            return source
        }
    }
}

/// Shares out the files that the process may have open: connections take what the rest can do without.
struct DescriptorBudget: Hashable, Sendable {
    /// Of the public face.
    let viewers: Int
    /// Of the operator face, whatever channels come and go.
    let operators: Int

    /// What a channel opens at most: inputs and their pipes, journal, files that are being written.
    private static let perChannel = 32
    /// Listening sockets, event loops, standard streams, and what libraries open.
    private static let perProcess = 64
    /// Nobody needs more than this to watch over a packager.
    private static let mostOperators = 256
    /// A busy machine closes connections that had to make room later than it accepts those they made room for.
    private static let mostLeaving = 1024

    /// - Parameters:
    ///   - limit: Files that may be open.
    ///   - channels: How many have something open.
    init(limit: Int, channels: Int) {
        operators = max(8, min(Self.mostOperators, limit / 32))
        let reserve = Self.perProcess + Self.perChannel * channels
        // Where there is next to nothing, media still goes before viewers.
        let connections = max(limit - reserve, limit / 4)
        let leaving = min(Self.mostLeaving, connections / 8)
        viewers = max(8, connections - operators - leaving)
    }
}

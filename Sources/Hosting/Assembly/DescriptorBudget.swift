import HTTPServing
import ObjectStores

/// Divides the files that the process may have open: connections get those that no other part needs.
struct DescriptorBudget: Hashable, Sendable {
    /// The connections that the origin may have.
    let viewers: Int
    /// The connections that the control API may have, independent of the number of channels.
    let operators: Int
    /// The files that media may be sent from at a time.
    let files: Int
    /// The copies of segments that there may be in files of memory.
    let copies: Int

    /// The most that a channel opens: inputs and their pipes, journal, files that are being written.
    private static let perChannel = 32
    /// The connections to a destination that a channel is sent to.
    private static let perDestination = Push.lanes
    /// Listening sockets, event loops, standard streams, and descriptors of libraries.
    private static let perProcess = 64
    /// The most connections of the control API: monitoring a packager needs no more.
    private static let mostOperators = 256

    /// - Parameters:
    ///   - limit: Files that may be open.
    ///   - channels: The number of channels with open files.
    ///   - destinations: The number of destinations that they are sent to.
    init(limit: Int, channels: Int, destinations: Int = 0) {
        operators = max(8, min(Self.mostOperators, limit / 32))
        // With few descriptors, more files are read instead of sent.
        files = min(OpenFiles.mostFiles, limit / 16)
        copies = min(MemoryCopies.mostFiles, limit / 64)
        let reserve =
            Self.perProcess + files + copies + Self.perChannel * channels + Self.perDestination * destinations
        // With next to no descriptors, media still goes before viewers.
        let connections = max(limit - reserve, limit / 4)
        // The margin is for displaced connections that are not closed yet, and for connections accepted in the
        // meantime.
        let leaving = 2 * ConnectionGate.Table.Limits(total: connections, perAddress: connections).leaving
        viewers = max(8, connections - operators - leaving)
    }
}

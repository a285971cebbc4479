import NIOPosix

/// The threads that wait for disks, so that neither event loops nor tasks do.
package enum Readers {
    /// A disk that stands still keeps these threads, and those who wait for what is on it.
    static let pool: NIOThreadPool = {
        let pool = NIOThreadPool(numberOfThreads: 4)
        pool.start()
        return pool
    }()

    /// Does work that takes its time on one of the threads.
    ///
    /// - Parameter work: The work; it is not done if the task is cancelled before its turn.
    /// - Returns: The result of the work.
    /// - Throws: `CancellationError` if it was not done.
    package static func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async throws -> Value {
        try await pool.runIfActive(work)
    }
}

import Glibc

/// The parts of what many threads write to, so that they need not wait for each other: a thread always has the same one, which
/// it may share with others.
enum ThreadPart {
    static let count = 16

    /// The part of the thread that asks.
    static var own: Int {
        // Fibonacci hashing: the addresses of threads differ in some of their middle bits only.
        Int((UInt64(pthread_self()) &* 0x9E37_79B9_7F4A_7C15) >> 60)
    }
}

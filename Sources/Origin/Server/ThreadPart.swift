import Glibc

/// The parts of a value that many threads write, so that they need not wait for each other.
///
/// A thread always has the same part, which it may share with others.
enum ThreadPart {
    static let count = 16

    /// The part of the calling thread.
    static var own: Int {
        // Fibonacci hashing: the addresses of threads differ in some of their middle bits only.
        Int((UInt64(pthread_self()) &* 0x9E37_79B9_7F4A_7C15) >> 60)
    }
}

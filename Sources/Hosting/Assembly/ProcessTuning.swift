import CGlibc
import Glibc

/// The limits that this process requests from the system before it starts.
package enum ProcessTuning {
    /// The bytes from which on a buffer has pages of its own, as a segment of 4 s at 2.1 Mbit/s has.
    private static let ownPages: CInt = 1 << 20

    /// Raises the number of files, connections among them, that may be open, and has long buffers returned at once.
    package static func apply() {
        // glibc raises this bound whenever such a buffer is freed (mallopt(3)). Segments then share a heap, whose pages
        // stay in memory behind the end of a shorter segment.
        mallopt(M_MMAP_THRESHOLD, ownPages)
        // An upgrade signal that comes too early must not end this process.
        signal(SIGUSR2, SIG_IGN)
        // The usual soft limit of 1024 open files is too low for an origin; the operator sets the hard limit.
        var limit = rlimit()
        let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        if getrlimit(files, &limit) == 0, limit.rlim_cur < limit.rlim_max {
            limit.rlim_cur = limit.rlim_max
            setrlimit(files, &limit)
        }
    }

    /// Returns free memory to the system.
    ///
    /// glibc keeps it for later use: a process that was reloaded every few seconds held three times the memory that it
    /// used.
    static func returnFreeMemory() {
        malloc_trim(0)
    }

    /// Returns free memory after a while, without waiting for it.
    static func returnFreeMemory(after delay: Duration) {
        Task.detached {
            try? await Task.sleep(for: delay)
            returnFreeMemory()
        }
    }

    /// The number of files that may be open.
    static var descriptorLimit: Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1024 }
        return Int(clamping: limit.rlim_cur)
    }
}

import Glibc

/// What this process asks of the system before it starts.
enum ProcessTuning {
    /// Settles where memory comes from and how many connections may be open.
    static func apply() {
        // Segments, each of a different size, come and go for months: pages of their own go back whole, while on the heap
        // they would leave holes. Thread arenas would each keep holes of their own.
        mallopt(M_MMAP_THRESHOLD, 512 << 10)
        mallopt(M_ARENA_MAX, 2)
        // The usual soft limit of 1024 open files is too low for an origin; the hard limit is the operator's word.
        var limit = rlimit()
        let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        if getrlimit(files, &limit) == 0, limit.rlim_cur < limit.rlim_max {
            limit.rlim_cur = limit.rlim_max
            setrlimit(files, &limit)
        }
    }
}

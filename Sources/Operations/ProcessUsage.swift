import Glibc

/// The resources of this process, as Linux counts them; nil without /proc.
package struct ProcessUsage: Hashable, Sendable {
    /// Seconds of user and system time.
    package var cpuSeconds: Double?
    package var residentBytes: Int?
    package var openFiles: Int?
    /// The soft limit; nil if there is none.
    package var maximumFiles: Int?
    /// UTC, counted from 1970.
    package var startSeconds: Double?

    package init(
        cpuSeconds: Double? = nil,
        residentBytes: Int? = nil,
        openFiles: Int? = nil,
        maximumFiles: Int? = nil,
        startSeconds: Double? = nil
    ) {
        self.cpuSeconds = cpuSeconds
        self.residentBytes = residentBytes
        self.openFiles = openFiles
        self.maximumFiles = maximumFiles
        self.startSeconds = startSeconds
    }

    /// Asks the system.
    package static var current: ProcessUsage {
        var usage = ProcessUsage()
        // The name of the program may hold spaces and parentheses; the fields after it count from the third (proc(5)).
        if let text = text(of: "/proc/self/stat"), let end = text.lastIndex(of: ")") {
            let fields = text[text.index(after: end)...].split(separator: " ")
            let ticks = Double(max(1, sysconf(CInt(_SC_CLK_TCK))))
            func field(_ number: Int) -> Double? {
                fields.indices.contains(number - 3) ? Double(fields[number - 3]) : nil
            }
            if let user = field(14), let system = field(15) { usage.cpuSeconds = (user + system) / ticks }
            if let start = field(22), let boot = bootSeconds { usage.startSeconds = boot + start / ticks }
            usage.residentBytes = field(24).flatMap { Int(exactly: $0 * Double(sysconf(CInt(_SC_PAGESIZE)))) }
        }
        usage.openFiles = openFiles
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0, limit.rlim_cur != .max {
            usage.maximumFiles = Int(clamping: limit.rlim_cur)
        }
        return usage
    }

    /// The time when the machine was started.
    private static let bootSeconds: Double? = text(of: "/proc/stat")?.split(separator: "\n")
        .first { $0.hasPrefix("btime ") }.flatMap { Double($0.dropFirst("btime ".count)) }

    private static var openFiles: Int? {
        guard let directory = opendir("/proc/self/fd") else { return nil }
        defer { closedir(directory) }
        var count = 0
        while readdir(directory) != nil { count += 1 }
        // "." and "..", and the directory itself.
        return max(0, count - 3)
    }

    /// The first MiB of a file of /proc: the line of interrupts in /proc/stat is long.
    private static func text(of path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        var length = 0
        while length < bytes.count {
            let count = bytes.withUnsafeMutableBytes { bytes in
                Glibc.read(descriptor, bytes.baseAddress.map { $0 + length }, bytes.count - length)
            }
            guard count > 0 else { break }
            length += count
        }
        return String(decoding: bytes[..<length], as: UTF8.self)
    }
}

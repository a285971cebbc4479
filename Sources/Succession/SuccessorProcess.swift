import Glibc

/// A process of the same program, as it is installed now, that is to take the place of this one.
package struct SuccessorProcess: Sendable {
    package let identifier: Int32

    /// Names the end of the connection that the successor has open.
    private static let variable = "SUCCESSION_SOCKET"
    /// The first that is not a standard stream.
    private static let descriptor: CInt = 3

    /// The path of the program of this process, which may be another version by now.
    ///
    /// - Parameters:
    ///   - name: As the process was started: a path, or a name that is looked for.
    ///   - searchPath: Directories, as `PATH` has them.
    ///   - isExecutable: True if there is a program at a path.
    /// - Returns: Its path; nil if it no longer exists.
    package static func path(
        of name: String,
        searchPath: String?,
        isExecutable: (String) -> Bool = { access($0, X_OK) == 0 }
    ) -> String? {
        if name.contains("/") { return isExecutable(name) ? name : nil }
        let directories = (searchPath ?? "").split(separator: ":", omittingEmptySubsequences: true)
        return directories.map { "\($0)/\(name)" }.first(where: isExecutable)
    }

    /// Starts it with the same arguments and environment.
    ///
    /// - Parameters:
    ///   - path: The path of the program.
    ///   - arguments: With the program's name.
    ///   - environment: The environment of this process.
    ///   - socket: The successor's end, which is closed here.
    /// - Throws: ``SuccessionError``.
    package init(
        _ path: String,
        _ arguments: [String],
        environment: [String: String],
        socket: CInt
    ) throws(SuccessionError) {
        defer { close(socket) }
        var environment = environment
        environment[Self.variable] = "\(Self.descriptor)"
        // The watchdog is fed by the service's main process (sd_watchdog_enabled(3)).
        environment["WATCHDOG_PID"] = nil
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, socket, Self.descriptor)
        // Libraries open sockets that would stay open in the successor, and their ports with them.
        for open in Self.openDescriptors where open > Self.descriptor {
            posix_spawn_file_actions_addclose(&actions, open)
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        // This process ignores the signals that it handles itself; the successor must not inherit that.
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        let words = arguments.map { strdup($0) } + [nil]
        let settings = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in words + settings { free(text) } }
        var identifier: pid_t = 0
        let code = posix_spawn(&identifier, path, &actions, &attributes, words, settings)
        guard code == 0 else { throw SuccessionError(failed: path, code: code) }
        self.identifier = identifier
    }

    private static var openDescriptors: [CInt] {
        guard let directory = opendir("/proc/self/fd") else { return [] }
        defer { closedir(directory) }
        var numbers: [CInt] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if let number = CInt(name) { numbers.append(number) }
        }
        return numbers
    }

    /// Waits until it has ended, and ends it where that takes too long.
    ///
    /// - Parameter patience: The time that it may take.
    /// - Returns: The way in which it has ended, in one phrase.
    package func end(within patience: Duration = .seconds(5)) -> String {
        var status: CInt = 0
        let deadline = ContinuousClock.now + patience
        while waitpid(identifier, &status, WNOHANG) == 0 {
            if ContinuousClock.now > deadline { _ = kill(identifier, SIGKILL) }
            // The kernel reports an end by a signal to the whole process, for which others wait, too.
            usleep(20_000)
        }
        let signal = status & 0x7F
        return signal == 0 ? "it has ended with exit code \(status >> 8 & 0xFF)" : "it was ended by signal \(signal)"
    }

    /// Returns the socket to the process whose place this one is to take.
    ///
    /// - Parameter environment: The environment of this process.
    /// - Returns: Nil if it was started by anybody else.
    package static func inheritance(in environment: [String: String]) -> SuccessionSocket? {
        guard let text = environment[variable], let descriptor = CInt(text), descriptor > STDERR_FILENO else {
            return nil
        }
        // Child processes must not inherit it.
        unsetenv(variable)
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return nil }
        return SuccessionSocket(descriptor)
    }
}

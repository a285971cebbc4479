import Foundation
import PackagerConfig

/// Where the configuration of a process comes from, so that it can be read again.
struct ConfigurationSource {
    /// Values by name, as the command line has them.
    var flags: [String: [String]] = [:]
    var environment: [String: String] = ProcessInfo.processInfo.environment
    /// Of the file; nil where there is none.
    var path: String?

    /// Reads it, whatever is wrong with it.
    ///
    /// - Throws: `ConfigurationProblems` where nothing of it can be read; what the system says where there is no file.
    func read() throws -> ConfigurationReading {
        let file = try path.map { path in
            try ConfigurationFile(reading: path)
        }
        return try Configuration.read(flags: flags, environment: environment, file: file)
    }
}

/// The place where a setting was written, in words that lead there.
package enum SettingOrigin: Hashable, Sendable, CustomStringConvertible {
    /// A flag, such as `--window`.
    case flag(String)
    /// An environment variable, such as `PACKAGER_WINDOW`.
    case environment(String)
    /// A line of a file and the key path there, such as `channels[0].window`.
    case file(name: String, line: Int, path: String)
    /// A place in a file that cannot be read at all.
    case syntax(name: String, line: Int, column: Int)
    /// The setting was not written: the default of this key path.
    case standard(path: String)
    /// A channel as a whole, which no file has.
    case channel(String)
    /// The process as a whole.
    case process

    package var description: String {
        switch self {
        case .flag(let name), .environment(let name): name
        case .file(let name, let line, ""): "\(name):\(line)"
        case .file(let name, let line, let path): "\(name):\(line): \(path)"
        case .syntax(let name, let line, let column): "\(name):\(line):\(column)"
        case .standard(let path): "\(path) (default)"
        case .channel(let name): "channel \(name)"
        case .process: "packager"
        }
    }

    /// Returns true if both are of the same setting, in whatever line of a file.
    func isOfSameSetting(as other: Self) -> Bool {
        guard case .file(let name, _, let path) = self, case .file(name, _, path) = other else { return self == other }
        return true
    }

    /// The order of problems in a list: flags, variables, the lines of the file, defaults.
    var order: (Int, Int) {
        switch self {
        case .flag: (0, 0)
        case .environment: (1, 0)
        case .file(_, let line, _), .syntax(_, let line, _): (2, line)
        case .standard, .channel, .process: (3, 0)
        }
    }
}

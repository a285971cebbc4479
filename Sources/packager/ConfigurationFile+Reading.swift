import Glibc
import PackagerConfig

extension ConfigurationFile {
    /// Reads the file that `--config` names.
    ///
    /// - Throws: `ConfigurationProblems` where it is not there, or is no text.
    init(reading path: String) throws(ConfigurationProblems) {
        func problem(_ message: String) -> ConfigurationProblems {
            ConfigurationProblems(problems: [ConfigurationProblem(origin: .flag("--config"), message: message)])
        }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw problem("\(path): \(String(cString: strerror(errno)))") }
        defer { close(descriptor) }
        // It may be a pipe, whose length nobody knows.
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = read(descriptor, &part, part.count), count != 0 {
            guard count > 0 else { throw problem("\(path): \(String(cString: strerror(errno)))") }
            bytes += part[..<count]
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw problem("\(path): it is no text in UTF-8")
        }
        self.init(name: path, text: text)
    }
}

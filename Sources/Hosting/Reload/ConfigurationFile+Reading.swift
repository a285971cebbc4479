import Files
package import PackagerConfig

extension ConfigurationFile {
    /// Bytes that a configuration may have.
    static let longest = 16 << 20

    /// Reads the file that `--config` names.
    ///
    /// - Throws: `ConfigurationProblems` if it is not there, is no regular file, is too long or is no text.
    package init(reading path: String) throws(ConfigurationProblems) {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try OpenFile.contents(of: path, limit: Self.longest)
        } catch {
            throw Self.problems("\(path): \(error.reason)")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Self.problems("\(path): it is no text in UTF-8")
        }
        self.init(name: path, text: text)
    }

    private static func problems(_ message: String) -> ConfigurationProblems {
        ConfigurationProblems(problems: [ConfigurationProblem(origin: .flag("--config"), message: message)])
    }
}

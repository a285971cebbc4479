import ArgumentParser
import PackagerConfig
import Testing

@testable import packager

/// The argument parser finds the flags of all settings, though none is declared for it.
@Suite struct SettingFlagsTests {
    @Test func everySettingHasAFlagAndNothingElseDoes() throws {
        let values = Setting.flags.map { setting in
            let values = setting.syntax.isBoolean ? [] : setting.syntax.isList ? ["a", "b"] : ["a"]
            return (flag: setting.flag, values: values)
        }
        let arguments = values.flatMap { flag, values in
            values.isEmpty ? ["--\(flag)"] : values.flatMap { ["--\(flag)", $0] }
        }
        let flags = try SettingFlags.parse(arguments)
        #expect(flags.given == Dictionary(uniqueKeysWithValues: values.map { ($0.flag, $0.values) }))
        #expect(try SettingFlags.parse([]).given.isEmpty)
    }

    private static let help = Run.helpMessage(columns: 10_000).split(whereSeparator: \.isWhitespace)
        .joined(separator: " ")

    @Test(arguments: Setting.flags)
    func helpSaysWhatItIsAndItsDefault(setting: Setting) {
        let value = setting.syntax.isBoolean ? "" : " <\(setting.syntax.unit ?? setting.name)>"
        let holds = setting.syntax.isBoolean ? nil : setting.defaultValue ?? setting.absence
        let text = "\(setting.help)\(holds.map { " (default: \($0))" } ?? "")"
        #expect(Self.help.contains("--\(setting.flag)\(value) \(text)"))
    }

    @Test func anOffsetMayBeginWithAHyphen() throws {
        #expect(try SettingFlags.parse(["--timecode-offset", "-03:30"]).given == ["timecode-offset": ["-03:30"]])
    }

    @Test func shellsCompleteWordsAndPaths() {
        let script = Packager.completionScript(for: .bash)
        #expect(script.contains("'sample-aes-ctr'"))
        for setting in Setting.flags { #expect(script.contains("--\(setting.flag)")) }
    }
}

import MediaCore
import Testing

@testable import PackagerConfig

@Suite struct SettingTests {
    @Test func everyPropertyHasASetting() {
        let properties = Mirror(reflecting: ChannelConfiguration()).children.reduce(0) { count, property in
            switch property.value {
            case let group as ChannelConfiguration.Text: count + Mirror(reflecting: group).children.count
            case let group as ChannelConfiguration.Keys: count + Mirror(reflecting: group).children.count
            case let group as ChannelConfiguration.Splices: count + Mirror(reflecting: group).children.count
            case let group as ChannelConfiguration.Ads: count + Mirror(reflecting: group).children.count
            case let group as ChannelConfiguration.Faults: count + Mirror(reflecting: group).children.count
            case let group as ChannelConfiguration.Recording: count + Mirror(reflecting: group).children.count
            default: count + 1
            }
        }
        #expect(properties == ChannelConfiguration.settings.count)
        #expect(Mirror(reflecting: CaptionDescription()).children.count == CaptionDescription.settings.count)
        #expect(Mirror(reflecting: AudioAttributes()).children.count == AudioAttributes.settings.count)
        // Channels, warnings, and the two addresses that standard output names or not: no settings.
        #expect(Mirror(reflecting: Configuration()).children.count == Configuration.settings.count + 4)
    }

    @Test func namesDiffer() {
        let names = (Setting.ofProcess + Setting.ofChannel).map(\.name)
        #expect(Set(names).count == names.count)
        #expect(Set(Setting.flags.map(\.flag)).count == Setting.flags.count)
    }

    @Test(arguments: Setting.ofProcess + Setting.ofChannel)
    func whatIsDeclaredIsWhole(setting: Setting) {
        #expect(setting.help.hasSuffix("."))
        #expect(setting.notes.isEmpty || setting.notes.hasSuffix("."))
        #expect((setting.defaultValue != nil) != (setting.example != nil))
    }

    /// A default is written as it is read.
    @Test(arguments: Setting.flags.filter { $0.defaultValue != nil })
    func aDefaultThatIsGivenChangesNothing(setting: Setting) throws {
        let value = try #require(setting.defaultValue)
        let configuration = try Configuration.load(
            environment: ["PACKAGER_INPUT": "a.ts", setting.environmentVariable: value]
        )
        #expect(configuration == (try Configuration.load(flags: ["input": ["a.ts"]])))
    }

    @Test func aFlagSaysWhatIsNotSoAlready() {
        #expect(
            Setting.flags.filter(\.syntax.isBoolean).map(\.flag)
                == [
                    "loop", "no-realtime", "hold-next", "scte35-emsg", "ads-private-addresses", "start-precise",
                    "encrypt-init",
                    "identity-key", "no-session-keys", "accept-new-secret", "playlist-variables",
                ]
        )
    }
}

/// A failure names the setting, not all that is declared of it.
extension Setting: CustomTestStringConvertible {
    package var testDescription: String { name }
}

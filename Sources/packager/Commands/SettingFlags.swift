import ArgumentParser
import PackagerConfig

/// The flags of the settings, made from their declarations.
///
/// The argument parser finds arguments by reflection and decodes them by their names: this type shows it one for each
/// setting instead of having a property for each.
struct SettingFlags: ParsableArguments, CustomReflectable {
    /// The values that were given, by flag without `--`; an empty list stands for "yes".
    private(set) var given: [String: [String]] = [:]

    init() {}

    var customMirror: Mirror {
        Mirror(self, children: Setting.flags.map { (label: $0.flag, value: $0.argument) })
    }

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        for setting in Setting.flags {
            let key = Key(stringValue: setting.flag)
            if setting.syntax.isBoolean {
                if try container.decode(Flag<Bool>.self, forKey: key).wrappedValue { given[setting.flag] = [] }
            } else {
                // All values are taken, so that two values for one setting are reported.
                let values = try container.decode(Option<[String]>.self, forKey: key).wrappedValue
                if !values.isEmpty { given[setting.flag] = values }
            }
        }
    }
}

extension Setting {
    /// The declaration for the argument parser.
    fileprivate var argument: Any {
        let name = NameSpecification.customLong(flag)
        if syntax.isBoolean { return Flag<Bool>(wrappedValue: false, name: name, help: "\(help)") }
        let holds = (defaultValue ?? absence).map { " (default: \($0))" } ?? ""
        let argumentHelp = ArgumentHelp("\(help)\(holds)", valueName: syntax.unit ?? self.name)
        return Option<[String]>(
            wrappedValue: [],
            name: name,
            parsing: syntax.canBeginWithHyphen ? .unconditionalSingleValue : .singleValue,
            help: argumentHelp,
            completion: completion
        )
    }

    private var completion: CompletionKind {
        if syntax.isPath { return syntax.unit == "dir" ? .directory : .file() }
        return syntax.choices.isEmpty ? .default : .list(syntax.choices)
    }
}

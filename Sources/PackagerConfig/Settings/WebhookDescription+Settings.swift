import Operations

extension WebhookDescription: Configurable {
    static let settings: [BoundSetting<WebhookDescription>] = [
        BoundSetting("url", \.url, .webhookURL) { "Address that events are posted to." },
        BoundSetting("events", \.kinds, .words(of: ChannelEvent.Kind.self, unit: "kinds")) {
            "Kinds of events, as /events calls them; all if none is given."
        },
        BoundSetting("secret-file", \.secretFile, SettingType.file.optional) {
            "The secret of the signature, in a file that only its owner may read."
        },
        BoundSetting("secret-variable", \.secretVariable, SettingType.variableName.optional) {
            "The variable of the environment that has the secret instead."
        },
    ]

    /// Reads an address alone.
    static func layer(_ written: WrittenValue) -> SettingLayer {
        var layer = SettingLayer(origin: written.origin)
        layer.values["url"] = [written]
        return layer
    }
}

extension SettingType where Value == String {
    static let webhookURL = SettingType(SettingValue.webhookURL, SettingSyntax(unit: "url")) { $0.isEmpty ? nil : $0 }
    static let variableName = SettingType(SettingValue.variableName, SettingSyntax(unit: "name")) { $0 }
}

extension SettingValue {
    static func webhookURL(_ text: String) throws(Invalid) -> String {
        _ = try httpURL(text)
        return text
    }

    static func variableName(_ text: String) throws(Invalid) -> String {
        guard text.allSatisfy({ $0.isASCIILetter || $0.isASCIIDigit || $0 == "_" }), text.first?.isASCIIDigit == false
        else {
            throw Invalid("'\(text)' is not the name of a variable; it has letters, digits and '_'")
        }
        return text
    }
}

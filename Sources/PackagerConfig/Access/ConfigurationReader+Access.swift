import MediaCore

/// A channel that came by the control API.
struct ChannelOfAPI {
    var section: SettingLayer
    /// The channel of that name in the configuration file; nil if there is none.
    var written: SettingLayer?
}

extension ConfigurationReader {
    /// Reports the values of channels that the control API may not set.
    ///
    /// Values that the file has for the same channel are its author's.
    mutating func checkAccess(_ channels: [ChannelOfAPI], _ allowed: [AllowedPlace]) {
        for channel in channels {
            for leaf in channel.named {
                guard let message = Self.objection(to: leaf.value.text, leaf.api, allowed) else { continue }
                report(leaf.value.origin, message, isForbidden: true)
            }
        }
    }

    /// Keeps redirects of subtitles that the control API has named to servers that it may name.
    ///
    /// - Parameters:
    ///   - channels: The channels of a section, as they were read.
    ///   - section: The section.
    ///   - allowed: The places that the control API may name.
    /// - Returns: The channels; those of the configuration file as they are.
    func limitingRedirects(
        of channels: [ChannelConfiguration],
        _ section: SettingLayer,
        _ allowed: [AllowedPlace]
    ) -> [ChannelConfiguration] {
        guard let ofAPI = channelsOfAPI.first(where: { $0.section.name == section.name }) else { return channels }
        let sources = ofAPI.named.filter { $0.path == "subtitles.source" }
            .compactMap { try? SettingValue.fileOrURL($0.value.text) }
        return channels.map { channel in
            var channel = channel
            for index in channel.text.subtitles.indices {
                guard let source = channel.text.subtitles[index].source, sources.contains(source) else { continue }
                channel.text.subtitles[index].redirects = AllowedServers(allowed)
            }
            return channel
        }
    }

    private static func objection(to text: String, _ api: APIAccess, _ allowed: [AllowedPlace]) -> String? {
        let shown = SecretMask.masked(text)
        switch api {
        case .open: return nil
        case .closed: return "the control API may not set this; write it in the configuration file"
        case .named(let find):
            let use = find(text)
            if use == .none || allowed.contains(where: { $0.includes(use, resolving: PlainPath.resolved) }) {
                return nil
            }
            guard let entry = use.entry else {
                return "the control API may not set '\(shown)'; write it in the configuration file"
            }
            return "the control API may not set '\(shown)' unless api-allow of the configuration file has \(entry)"
        }
    }
}

extension ChannelOfAPI {
    /// The values that are the control API's: the file does not have them for the same channel, or has a secret for
    /// another server.
    fileprivate var named: [SettingLayer.Leaf] {
        let granted = Set((written?.leaves(of: Setting.ofChannel) ?? []).map(\.grant))
        return section.leaves(of: Setting.ofChannel).filter { !granted.contains($0.grant) }
    }
}

extension OutsideUse {
    /// The entry of `api-allow` that this needs, in words; nil if none helps.
    fileprivate var entry: String? {
        switch self {
        case .none, .unknown: nil
        case .path(let path):
            PlainPath(path).map { "\($0) or a directory above it" } ?? "its absolute path, without '..'"
        case .server(let url): PlainURL(url) == nil ? nil : "its URL or the beginning of it"
        case .program(let words): "\(AllowedPlace.programPrefix)\(words.first ?? "") with the same arguments"
        }
    }
}

extension SettingLayer {
    /// A value, with the path of its setting and the access of the control API.
    fileprivate struct Leaf {
        var path: String
        var api: APIAccess
        var value: WrittenValue
        /// The server that it is sent to, if it is a secret.
        var server: [String]

        /// The part that the configuration file has to have for the control API to use it.
        var grant: [String] { [path, value.text] + server }
    }

    /// The files of secrets that are sent to a server, and the settings that name the server.
    private static let servers = ["credentials": ["url", "endpoint"], "key-credentials": ["key-source"]]

    /// Every value.
    fileprivate func leaves(of settings: [Setting], path: String = "") -> [Leaf] {
        settings.flatMap { setting in
            let path = path + setting.name
            let server = (Self.servers[setting.name] ?? []).map { values[$0]?.first?.text ?? "" }
            let own = (values[setting.name] ?? []).map { Leaf(path: path, api: setting.api, value: $0, server: server) }
            let ofItems = (items[setting.name] ?? []).flatMap {
                $0.leaves(of: setting.items?.fields ?? [], path: path + ".")
            }
            return own + ofItems
        }
    }
}

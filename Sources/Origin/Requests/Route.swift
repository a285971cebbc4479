package import MediaCore

/// The resource that a request's target names, read from its path alone; it need not exist.
package enum Route: Hashable, Sendable {
    /// `/` or `/NAME/`
    case playerPage(channel: Substring?)
    /// `/FILE` or `/NAME/FILE`: scripts and styles, which the page names relatively.
    case playerFile(Substring)
    /// `/channels.json`
    case channelList
    /// `/NAME`: the player page, without its slash.
    case channel(Substring)
    /// `/NAME/index.m3u8`, `/NAME/RENDITION.m3u8`, `/NAME/RENDITION/FILE`; `path` is what follows `/NAME/`.
    case media(channel: Substring, path: Substring)
    /// `/NAME/past/RANGE/index.m3u8`, `/NAME/past/RANGE/RENDITION.m3u8`
    case past(channel: Substring, range: Substring, path: Substring)
    /// `/NAME/keys/KEYID`
    case key(channel: Substring, keyID: KeyID)
    /// `/NAME/keys.json`
    case keySchedule(channel: Substring)
    /// `/NAME/names.json`: the names of renditions in other languages.
    case localizedNames(channel: Substring)
    /// `/NAME/ads/ID.json`: the advertisements that players play in a break.
    case assetList(channel: Substring, id: Substring)
    /// `/NAME/ads/DIRECTORY/FILE`: of an advertisement; `path` is what follows `/NAME/ads/`.
    case adFile(channel: Substring, path: Substring)
    /// `/NAME/recordings/ID/FILE`: of a finished asset; `path` is what follows `/NAME/recordings/`.
    case recording(channel: Substring, path: Substring)
    /// `/NAME/window.json`: the window that a peer takes over at its start.
    case window(channel: Substring)
    /// `/NAME/health.json`: the channel's health, for its peer.
    case health(channel: Substring)
    /// `/NAME/schedule.json`: the schedule posted to it, for its peer.
    case schedule(channel: Substring)
    /// `/NAME/recorded.json`: the recorded slots that its query names, for its peer.
    case recordedSlots(channel: Substring)
    /// `/NAME/recorded/RENDITION/FILE`: recorded media, for its peer; `path` is what follows `/NAME/recorded/`.
    case recordedMedia(channel: Substring, path: Substring)
    /// `/NAME/on-air.json`: the inputs and fillers of the listed slots.
    case onAir(channel: Substring)
    /// `/NAME/steering.json`: the pathways that players are to use.
    case steering(channel: Substring)
    /// `/NAME/clearkey`
    case clearKeyLicense(channel: Substring)
    /// `/NAME/fairplay`
    case fairPlayLicense(channel: Substring)
}

/// The reason why a target names nothing.
package enum RouteError: Error, Hashable {
    /// A target without a path, or with a forbidden one: 400.
    case malformed
    /// A path of a shape that is not served: 404.
    case unknown
}

extension Route {
    /// Reads the target of a request; its query is ignored.
    ///
    /// - Parameter target: The target in origin form (RFC 9112 § 3.2.1).
    /// - Throws: ``RouteError/malformed`` for a path with dot segments, bad percent-encoding, or characters that no URL
    ///   of ours has; ``RouteError/unknown`` for one that is too deep or has an empty component.
    package init(target: String) throws(RouteError) {
        guard let path = RequestPath.decoded(target) else { throw .malformed }
        let components = path.dropFirst().split(
            separator: "/",
            maxSplits: Self.maximumAdDepth,
            omittingEmptySubsequences: false
        )
        guard !components.contains(where: { $0 == "." || $0 == ".." }) else { throw .malformed }
        let isOfAds = components.count > 2 && components[1] == Self.adDirectory
        if components.count == 4, components[1] == Self.pastDirectory, !components[3].isEmpty, !components[0].isEmpty {
            self = .past(channel: components[0], range: components[2], path: components[3])
            return
        }
        if components.count == 4, components[1] == Self.recordedDirectory, components.allSatisfy({ !$0.isEmpty }) {
            self = .recordedMedia(channel: components[0], path: path[components[2].startIndex...])
            return
        }
        if (4...5).contains(components.count), components[1] == Self.recordingsDirectory,
            components.allSatisfy({ !$0.isEmpty })
        {
            self = .recording(channel: components[0], path: path[components[2].startIndex...])
            return
        }
        guard components.count <= (isOfAds ? Self.maximumAdDepth : Self.maximumDepth),
            components.dropLast().allSatisfy({ !$0.isEmpty })
        else { throw .unknown }
        switch components.count {
        case 1: self.init(name: components[0])
        case 2: self.init(channel: components[0], name: components[1])
        default:
            let (channel, directory, name) = (components[0], components[1], components[2])
            if components.last?.isEmpty ?? true { throw .unknown }
            if isOfAds {
                let isList = components.count == 3 && name.hasSuffix(Self.listSuffix)
                self =
                    isList
                    ? .assetList(channel: channel, id: name.dropLast(Self.listSuffix.count))
                    : .adFile(channel: channel, path: path[name.startIndex...])
            } else if directory == "keys" {
                guard let bytes = Bytes16(hex: name) else { throw .unknown }
                self = .key(channel: channel, keyID: KeyID(bytes))
            } else {
                self = .media(channel: channel, path: path[directory.startIndex...])
            }
        }
    }

    /// The components of `/NAME/RENDITION/FILE`.
    private static let maximumDepth = 3
    private static let adDirectory = "ads"
    private static let pastDirectory = "past"
    private static let recordingsDirectory = "recordings"
    private static let recordedDirectory = "recorded"
    private static let listSuffix = ".json"
    /// Advertisements have directories of their own, in which others may be.
    private static let maximumAdDepth = 7

    private init(name: Substring) {
        switch name {
        case "": self = .playerPage(channel: nil)
        case "channels.json": self = .channelList
        case let name where PlayerFile.isPublished(name): self = .playerFile(name)
        default: self = .channel(name)
        }
    }

    private init(channel: Substring, name: Substring) {
        switch name {
        case "": self = .playerPage(channel: channel)
        case "keys.json": self = .keySchedule(channel: channel)
        case "window.json": self = .window(channel: channel)
        case "health.json": self = .health(channel: channel)
        case "schedule.json": self = .schedule(channel: channel)
        case "recorded.json": self = .recordedSlots(channel: channel)
        case Substring(SessionDatum.localizedNamesFile): self = .localizedNames(channel: channel)
        case "on-air.json": self = .onAir(channel: channel)
        case Substring(ChannelSteering.file): self = .steering(channel: channel)
        case "clearkey": self = .clearKeyLicense(channel: channel)
        case "fairplay": self = .fairPlayLicense(channel: channel)
        case let name where PlayerFile.isPublished(name): self = .playerFile(name)
        default: self = .media(channel: channel, path: name)
        }
    }
}

extension Route {
    /// True if the route takes a posted body.
    var isLicense: Bool {
        switch self {
        case .clearKeyLicense, .fairPlayLicense: true
        default: false
        }
    }
}

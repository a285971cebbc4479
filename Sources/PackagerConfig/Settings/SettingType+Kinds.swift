import Logging
import MediaCore
import TimedText

extension SettingType where Value == String {
    static let channelName = SettingType(SettingValue.channelName) { $0 }
    static let contentID = SettingType(SettingValue.contentID, SettingSyntax(unit: "id")) { $0 }
    static let file = SettingType(SettingValue.any, SettingSyntax(unit: "file", isPath: true)) { $0 }
    static let directory = SettingType(SettingValue.any, SettingSyntax(unit: "dir", isPath: true)) { $0 }
    static let fileOrURL = SettingType(SettingValue.fileOrURL, SettingSyntax(unit: "file or url", isPath: true)) { $0 }
    static let claim = SettingType(SettingValue.claim, SettingSyntax(unit: "name")) { $0 }
    static let queryName = SettingType(SettingValue.queryName, SettingSyntax(unit: "name")) { $0 }
    static let server = SettingType(SettingValue.httpURL, SettingSyntax(unit: "url")) { $0 }
    static let baseURL = SettingType(SettingValue.baseURL, SettingSyntax(unit: "url")) { $0 }
    static let languageTag = SettingType(SettingValue.languageTag) { $0.isEmpty ? nil : $0 }
    static let quotable = SettingType(SettingValue.quotable) { $0 }
    static let captionChannel = SettingType(SettingValue.captionChannel) { $0.isEmpty ? nil : $0 }
}

extension SettingType where Value == KeySourceLocation {
    /// Compared by its kind: the members of a pair have files and addresses of their own.
    static let keySource = SettingType(SettingValue.keySource, SettingSyntax(unit: "source")) { $0.text }
        .compared { $0.kind }
}

extension SettingType where Value == [String] {
    static let files = SettingType(listOf: SettingValue.any, SettingSyntax(unit: "file", isPath: true)) {
        $0.isEmpty ? nil : $0.joined(separator: ", ")
    }
}

extension SettingType where Value == MediaTime {
    /// Seconds within a range.
    static func seconds(_ range: ClosedRange<Int64>) -> Self {
        let parse = { @Sendable text throws(SettingValue.Invalid) in try SettingValue.duration(text, in: range) }
        return SettingType(parse, SettingSyntax(unit: "seconds", limits: range)) { $0.decimalSeconds }.compared {
            "\($0.seconds)"
        }
    }

    /// Days within a range.
    static func days(_ range: ClosedRange<Int64>) -> Self {
        let parse = { @Sendable text throws(SettingValue.Invalid) in try SettingValue.days(text, in: range) }
        return SettingType(parse, SettingSyntax(unit: "days", limits: range)) { "\($0.milliseconds / 86_400_000)" }
    }

    /// A span of whole seconds, minutes, hours or days; compared where there is one, since versions without the setting
    /// do not name it.
    static func span(_ range: ClosedRange<Int64>) -> Self {
        let parse = { @Sendable text throws(SettingValue.Invalid) in try SettingValue.span(text, in: range) }
        return SettingType(parse, SettingSyntax(unit: "time")) { SettingValue.text(ofSpan: $0) }.compared {
            $0 > .zero ? SettingValue.text(ofSpan: $0) : nil
        }
    }

    static let utcOffset = SettingType(
        SettingValue.utcOffset,
        SettingSyntax(unit: "offset", canBeginWithHyphen: true)
    ) {
        $0.decimalSeconds
    }
    .compared { "\($0.seconds)" }
}

extension SettingType where Value == TimedTextOrigin {
    static let timedTextOrigin = SettingType(SettingValue.timedTextOrigin, SettingSyntax(unit: "time")) { "\($0)" }
}

extension SettingType where Value == [TextFormat] {
    static let textFormats = words(of: TextFormat.self, unit: "formats")
}

extension SettingType where Value == [FeedSubtitles.Choice] {
    static let feedSubtitles = SettingType(
        listOf: SettingValue.feedSubtitle,
        SettingSyntax(unit: "what"),
        isSeparated: true,
        repetition: { $0.rawValue }
    ) { $0.map(\.rawValue).joined(separator: ",") }
}

extension SettingType where Value == TextService {
    static let textService = SettingType(SettingValue.textService, SettingSyntax(unit: "page or channel")) { service in
        switch service {
        case .teletext(let page): "\(page)"
        case .captions(let channel): "\(channel)"
        case .track, .bitmaps: nil
        }
    }
}

extension SettingType where Value == Bool {
    static let boolean = SettingType(SettingValue.boolean, SettingSyntax(isBoolean: true)) { "\($0)" }
}

extension SettingType where Value == Int {
    /// Bytes within a range.
    static func bytes(_ range: ClosedRange<Int>) -> Self {
        let parse = { @Sendable text throws(SettingValue.Invalid) in try SettingValue.byteCount(text, in: range) }
        return SettingType(parse, SettingSyntax(unit: "bytes")) { SettingValue.text(ofBytes: $0) }
    }
    static let bitRate = SettingType(SettingValue.bitRate, SettingSyntax(unit: "bits/s")) { "\($0)" }
    static let requests = SettingType(SettingValue.requestCount, SettingSyntax(unit: "number")) { "\($0)" }
    static let connections = SettingType(SettingValue.connectionCount, SettingSyntax(unit: "number")) { "\($0)" }
}

extension SettingType where Value == ListenAddress {
    static let address = SettingType(SettingValue.listenAddress, SettingSyntax(unit: "host:port")) { "\($0)" }
}

extension SettingType where Value: CaseIterable & RawRepresentable<String> & SendableMetatype {
    /// One of the words of an enumeration.
    static var choice: Self {
        SettingType(SettingValue.choice, SettingSyntax(choices: Value.allCases.map(\.rawValue))) { $0.rawValue }
    }
}

extension SettingType {
    /// Some words of an enumeration, each once, always written in the order of their declaration.
    static func words<Word>(of type: Word.Type, unit: String = "words") -> Self
    where Value == [Word], Word: CaseIterable & RawRepresentable<String> & Equatable & Sendable & SendableMetatype {
        SettingType(
            listOf: SettingValue.choice,
            SettingSyntax(unit: unit, choices: Word.allCases.map(\.rawValue)),
            isSeparated: true,
            repetition: { $0.rawValue }
        ) { words in
            words.isEmpty ? nil : Word.allCases.filter(words.contains).map(\.rawValue).joined(separator: ",")
        }
    }
}

extension SettingType where Value == [FailureCondition] {
    static let conditions = SettingType(
        listOf: SettingValue.choice,
        SettingSyntax(unit: "conditions", choices: FailureCondition.allCases.map(\.rawValue)),
        isSeparated: true
    ) {
        $0.isEmpty ? nil : $0.map(\.rawValue).joined(separator: ",")
    }
}

extension SettingType where Value == [KeySystem] {
    /// Key systems, always in the order of playlists.
    static let keySystems = SettingType(
        listOf: { text throws(SettingValue.Invalid) in try SettingValue.choice(text, among: KeySystem.licensed) },
        SettingSyntax(unit: "systems", choices: KeySystem.licensed.map(\.rawValue)),
        isSeparated: true,
        repetition: { $0.rawValue }
    ) { systems in
        systems.isEmpty ? nil : KeySystem.licensed.filter(systems.contains).map(\.rawValue).joined(separator: ",")
    }
}

extension SettingType where Value == [VideoClass] {
    static let videoClasses = words(of: VideoClass.self, unit: "classes")
}

extension SettingType where Value == [AdvertisementKind] {
    static let advertisements = words(of: AdvertisementKind.self, unit: "kinds")
}

extension SettingType where Value == [SplicePID] {
    static let splicePIDs = SettingType(
        listOf: SettingValue.splicePID,
        SettingSyntax(unit: "pids"),
        isSeparated: true,
        repetition: { "PID \($0)" }
    ) { pids in
        pids.isEmpty ? nil : pids.map(\.description).sorted().joined(separator: ",")
    }
}

extension SettingType where Value == [FeedLocation] {
    /// Compared by how many there are: the members of a pair have addresses of their own.
    static let feeds = SettingType(listOf: SettingValue.feed, SettingSyntax(unit: "feed")) { _ in nil }
        .compared { "\($0.count) feeds" }
}

extension SettingType where Value == [AddressRange] {
    static let addressRanges = SettingType(
        listOf: SettingValue.addressRange,
        SettingSyntax(unit: "address or network"),
        isSeparated: true,
        repetition: { "\($0)" }
    ) { $0.isEmpty ? nil : $0.map(\.description).joined(separator: ",") }
}

extension SettingType where Value == [AllowedPlace] {
    static let allowedPlaces = SettingType(listOf: SettingValue.allowedPlace, SettingSyntax(unit: "place")) {
        $0.isEmpty ? nil : $0.map(\.description).joined(separator: ", ")
    }
}

extension SettingType where Value == [Int] {
    static let programs = SettingType(
        listOf: SettingValue.programNumber,
        SettingSyntax(unit: "number"),
        repetition: { "program \($0)" }
    ) {
        $0.isEmpty ? nil : $0.map(String.init).joined(separator: ", ")
    }
}

extension SettingType where Value == [DeclaredBandwidth] {
    static let bandwidths = SettingType(
        listOf: SettingValue.bandwidth,
        SettingSyntax(unit: "rendition=peak/average"),
        isSeparated: true,
        repetition: { "the bandwidth of \($0.rendition)" }
    ) { bandwidths in
        let texts = bandwidths.map { "\($0.rendition)=\($0.peak)/\($0.average)" }
        return texts.isEmpty ? nil : texts.sorted().joined(separator: ", ")
    }
}

extension SettingType where Value == [String] {
    static let identifiers = SettingType(listOf: SettingValue.uniformTypeIdentifier) {
        $0.isEmpty ? nil : $0.joined(separator: " ")
    }
}

import XML

/// The advertisements of a VAST document that can be played in place of a break.
package struct VASTDocument: Hashable, Sendable {
    struct Ad: Hashable, Sendable {
        var id: String?
        /// The number in a pod; nil outside of pods.
        var sequence: Int?
        var content: Content
    }

    enum Content: Hashable, Sendable {
        case inline([Creative])
        case wrapper(String)
    }

    /// A linear creative.
    struct Creative: Hashable, Sendable {
        /// The media to play; nil if no HLS media file is listed, or its duration is not given.
        var asset: AssetList.Asset?
        /// The seconds before viewers may skip it; nil if they may not.
        var skipOffset: Double?
    }

    var ads: [Ad] = []

    /// - Throws: ``AdSourceError`` if it is not VAST.
    package init(parsing bytes: [UInt8]) throws(AdSourceError) {
        let root = try Element.vast(bytes)
        guard root.name == "VAST" else { throw AdSourceError("its answer is <\(root.name)>, and no VAST") }
        for element in root.children("Ad") {
            let content: Content
            if let inline = element.child("InLine") {
                let creatives = inline.child("Creatives")?.children("Creative") ?? []
                let ordered = creatives.sorted { $0.sequence ?? 0 < $1.sequence ?? 0 }
                content = .inline(ordered.compactMap { $0.child("Linear") }.map(Creative.init))
            } else if let url = element.child("Wrapper")?.child("VASTAdTagURI")?.trimmedText {
                content = .wrapper(url)
            } else {
                continue
            }
            ads.append(Ad(id: element.value("id"), sequence: element.sequence, content: content))
        }
    }
}

extension VASTDocument.Creative {
    private static let types = ["application/vnd.apple.mpegurl", "application/x-mpegurl"]

    fileprivate init(_ linear: Element) {
        let seconds = linear.child("Duration").flatMap { Self.seconds($0.trimmedText) }
        let files = linear.child("MediaFiles")?.children("MediaFile") ?? []
        let file = files.first { Self.types.contains($0.value("type")?.lowercased() ?? "") && $0.trimmedText.isHTTPURL }
        guard let seconds, seconds > 0, seconds <= AssetList.Asset.longest, let file else { return }
        asset = AssetList.Asset(uri: file.trimmedText, seconds: seconds)
        skipOffset = linear.value("skipoffset").flatMap { Self.offset($0, in: seconds) }
    }

    /// A time, or a share such as `25%`.
    private static func offset(_ text: String, in length: Double) -> Double? {
        guard let match = text.wholeMatch(of: /([0-9]{1,3})%/), let share = Double(match.1) else {
            return seconds(text)
        }
        return length * share / 100
    }

    /// `HH:MM:SS`, or with `.mmm`.
    private static func seconds(_ text: String) -> Double? {
        guard let match = text.wholeMatch(of: /([0-9]{1,2}):([0-5][0-9]):([0-5][0-9](?:\.[0-9]{1,6})?)/),
            let hours = Double(match.1), let minutes = Double(match.2), let seconds = Double(match.3)
        else { return nil }
        return hours * 3600 + minutes * 60 + seconds
    }
}

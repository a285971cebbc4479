import ContentProtection
package import MediaCore
import XML

extension CPIXDocument {
    /// The tracks that a key is for, and the periods (CPIX 2.4 § 7.4.16).
    package struct UsageRule: Hashable, Sendable {
        package var keyID: KeyID
        /// The name of the tracks in the parties' contract, such as `UHD`.
        package var trackType: String?
        /// Periods by their IDs; none for all.
        package var periodIDs: [String]
        package var video: [VideoFilter]
        package var audio: [AudioFilter]
        /// Filters that this packager cannot apply; a rule with one cannot be used (§ 7.4.17.1).
        package var otherFilters: [String] = []

        package init(
            keyID: KeyID,
            trackType: String?,
            periodIDs: [String],
            video: [VideoFilter] = [],
            audio: [AudioFilter] = []
        ) {
            self.keyID = keyID
            self.trackType = trackType
            self.periodIDs = periodIDs
            self.video = video
            self.audio = audio
        }

        /// Returns true if it is for tracks of a class, or for some of them.
        ///
        /// A rule with filters of both kinds is for both: what matches nothing in CPIX is how SPEKE says ALL.
        func isFor(_ keyClass: KeyClass, of classes: KeyClasses) -> Bool {
            guard keyClass.isVideo else { return audio.isEmpty && video.isEmpty ? isMeant(for: nil) : !audio.isEmpty }
            return classes.pictures(of: keyClass).contains { picture in
                audio.isEmpty && video.isEmpty ? isMeant(for: picture) : video.contains { $0.matches(picture) }
            }
        }

        /// Returns true if the track type alone matches a picture, or audio if that is nil.
        ///
        /// An unknown track type matches everything.
        private func isMeant(for picture: ClassPicture?) -> Bool {
            switch trackType?.uppercased() {
            case "AUDIO": picture == nil
            case "VIDEO": picture != nil
            case "SD": picture?.size == .sd
            case "HD": picture?.size == .hd
            case "UHD", "UHD1": picture?.size == .uhd
            case "HDR": picture?.isHDR == true
            default: true
            }
        }
    }

    /// A filter of video (CPIX 2.4 § 7.4.17.4); without limits any.
    package struct VideoFilter: Hashable, Sendable {
        /// Width times height, both inclusive.
        package var minPixels: Int64?
        package var maxPixels: Int64?
        package var isHDR: Bool?
        package var isWideGamut: Bool?
        /// Pictures a second, exclusive.
        package var minRate: Int64?
        /// Pictures a second, inclusive.
        package var maxRate: Int64?

        package init() {}
    }

    /// A filter of audio (CPIX 2.4 § 7.4.17.5); without limits any.
    package struct AudioFilter: Hashable, Sendable {
        /// The fewest channels; both limits are inclusive.
        package var minChannels: Int64?
        package var maxChannels: Int64?

        package init() {}
    }
}

extension CPIXDocument.UsageRule {
    init(_ element: Element) throws(CPIXError) {
        keyID = try element.keyID("kid")
        trackType = element.attribute("intendedTrackType")
        (periodIDs, video, audio) = ([], [], [])
        for child in element.elements {
            switch (child.namespace, child.name) {
            case (Namespace.cpix.uri, "KeyPeriodFilter"): periodIDs.append(try child.required("periodId"))
            case (Namespace.cpix.uri, "VideoFilter"): video.append(try .init(child))
            case (Namespace.cpix.uri, "AudioFilter"): audio.append(try .init(child))
            default: otherFilters.append(child.name)
            }
        }
    }

    /// Filters that cannot be applied are no more than names, and are not written.
    var element: Element {
        Element(
            "ContentKeyUsageRule",
            .cpix,
            ["kid": keyID.uuid, "intendedTrackType": trackType],
            periodIDs.map { Element("KeyPeriodFilter", .cpix, ["periodId": $0]) }
                + video.map(\.element) + audio.map(\.element)
        )
    }
}

extension CPIXDocument.VideoFilter {
    init(_ element: Element) throws(CPIXError) {
        minPixels = try element.number("minPixels")
        maxPixels = try element.number("maxPixels")
        isHDR = try element.boolean("hdr")
        isWideGamut = try element.boolean("wcg")
        minRate = try element.number("minFps")
        maxRate = try element.number("maxFps")
    }

    var element: Element {
        Element(
            "VideoFilter",
            .cpix,
            [
                "minPixels": minPixels.map(String.init), "maxPixels": maxPixels.map(String.init),
                "hdr": isHDR.map(String.init), "wcg": isWideGamut.map(String.init),
                "minFps": minRate.map(String.init), "maxFps": maxRate.map(String.init),
            ]
        )
    }
}

extension CPIXDocument.AudioFilter {
    init(_ element: Element) throws(CPIXError) {
        minChannels = try element.number("minChannels")
        maxChannels = try element.number("maxChannels")
    }

    var element: Element {
        Element(
            "AudioFilter",
            .cpix,
            ["minChannels": minChannels.map(String.init), "maxChannels": maxChannels.map(String.init)]
        )
    }
}

import MediaCore

/// The effect on viewers of renditions without media that have the same substitute.
struct LossEffect {
    private let names: String
    private let substitute: CutSegment.Filler?
    private let medium: Medium

    private enum Medium {
        case pictures(withSound: Bool)
        /// Audio in segments of video, which are no gaps without it; true if the pictures are there.
        case carriedSound(withPictures: Bool)
        case sound, text
        /// Some of the renditions of a medium, while viewers can have others.
        case some(isSound: Bool, isCarried: Bool)
    }

    /// Returns the effects of renditions: pictures and sound have one each if viewers can have others of one of them.
    ///
    /// - Parameters: As for ``init(of:_:others:)``.
    static func effects(
        of lost: SlotChanges.Renditions,
        _ substitute: CutSegment.Filler?,
        others: Set<MediaKind>
    ) -> [LossEffect] {
        let isMixed = lost.kinds.isSuperset(of: [.video, .audio])
        let parts =
            isMixed && others.contains(.video) != others.contains(.audio)
            ? [lost.only { $0 == .video }, lost.only { $0 != .video }] : [lost]
        return parts.map { LossEffect(of: $0, substitute, others: others) }
    }

    /// - Parameters:
    ///   - lost: The renditions.
    ///   - substitute: The filler; nil for a gap.
    ///   - others: The kinds of the renditions that have media.
    init(of lost: SlotChanges.Renditions, _ substitute: CutSegment.Filler?, others: Set<MediaKind>) {
        names = lost.list
        self.substitute = substitute
        let kind: MediaKind = lost.kinds.contains(.video) ? .video : .audio
        if !lost.kinds.contains(kind) {
            medium = .text
        } else if others.contains(kind) {
            let isSound = kind == .audio
            medium = .some(isSound: isSound, isCarried: isSound && lost.hasCarriedAudio)
        } else if kind == .video {
            medium = .pictures(withSound: lost.kinds.contains(.audio))
        } else {
            medium = lost.hasCarriedAudio ? .carriedSound(withPictures: others.contains(.video)) : .sound
        }
    }

    /// The effect while it lasts, as a line of the log says it.
    var text: String {
        switch (medium, substitute) {
        case (.pictures, nil): "the picture stops (gaps)"
        case (.pictures, .slate): "they see the slate"
        case (.pictures(let withSound), .hold): "they see the last picture\(withSound ? " and hear nothing" : "")"
        case (.carriedSound(withPictures: true), nil), (.carriedSound(withPictures: true), .hold):
            "they see the picture and hear nothing"
        case (.sound, nil): "the sound is missing (gaps)"
        case (.carriedSound, .slate), (.sound, .slate): "they hear the slate"
        case (.carriedSound, nil), (.carriedSound, .hold), (.sound, .hold): "they hear nothing"
        case (.text, _): "the subtitles are missing (gaps)"
        case (.some(_, isCarried: false), nil): "they get gaps of \(names)"
        case (.some(isSound: true, _), .slate): "they hear the slate in place of \(names)"
        case (.some(isSound: true, _), _): "they do not hear \(names)"
        case (.some, .slate): "they see the slate in place of \(names)"
        case (.some, _): "they see the last picture of \(names)"
        }
    }

    /// The effect as an event says it that names the renditions.
    var sentence: String {
        switch (medium, substitute) {
        case (.pictures, nil), (.sound, nil), (.text, _), (.some(_, isCarried: false), nil): "viewers get gaps"
        case (.carriedSound(withPictures: true), nil), (.carriedSound(withPictures: true), .hold):
            "viewers see the picture and hear nothing"
        case (.carriedSound, .slate), (.sound, .slate): "viewers hear the slate"
        case (.carriedSound, nil), (.carriedSound, .hold), (.sound, .hold): "viewers hear nothing"
        case (.some(isSound: true, _), .slate): "viewers hear the slate there"
        case (.some(isSound: true, _), _): "viewers hear nothing there"
        case (.pictures, .slate), (.some, .slate): "viewers see the slate"
        case (.pictures, .hold), (.some, _): "viewers see the last picture"
        }
    }
}

/// A request for a finished asset, made of a channel's recording.
package struct AssetRequest: Hashable, Sendable, Codable {
    /// UTC of its start; nil for the start of the programme.
    package var from: Timestamp?
    /// UTC of its end; nil for the end of the programme.
    package var to: Timestamp?
    package var programme: ProgrammeChoice?
    /// The title; nil for none.
    package var title: String?
    /// True if advertisements are cut out.
    package var cutsBreaks = false
    package var form = Form.copy
    /// The keys of its media; those of an MP4 file and of a reference are not for choice.
    package var keys = Keys.same
    /// MP4 only; the rendition of video, or the largest.
    package var rendition: String?
    package var chapters: [AssetChapter] = []
    /// The class of date ranges that are chapters, their titles in `X-TITLE`.
    package var chapterClass: String?
    /// The time that it is kept for, in seconds; nil for without end.
    package var keepFor: Int?

    /// The form of an asset.
    package enum Form: String, Hashable, Sendable, CaseIterable, Codable {
        /// HLS with segments of its own.
        case copy
        /// HLS that lists segments of the recording, for as long as that has them.
        case reference
        /// An MP4 file, exact to the picture.
        case mp4
    }

    /// The keys of an asset's media.
    package enum Keys: String, Hashable, Sendable, CaseIterable, Codable {
        /// The keys that the channel had at the time.
        case same
        /// A new key for each class of tracks.
        case new
    }

    package init() {}

    private enum CodingKeys: String, CodingKey {
        case from, to, programme, title, form, keys, rendition, chapters
        case cutsBreaks = "cut-breaks"
        case chapterClass = "chapter-class"
        case keepFor = "keep-for"
    }
}

extension AssetRequest {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init()
        from = try container.decodeIfPresent(Timestamp.self, forKey: .from)
        to = try container.decodeIfPresent(Timestamp.self, forKey: .to)
        programme = try container.decodeIfPresent(ProgrammeChoice.self, forKey: .programme)
        title = try container.decodeIfPresent(String.self, forKey: .title)
        cutsBreaks = try container.decode(Bool.self, forKey: .cutsBreaks)
        form = try container.decode(Form.self, forKey: .form)
        // An earlier version did not write it.
        keys = try container.decodeIfPresent(Keys.self, forKey: .keys) ?? .same
        rendition = try container.decodeIfPresent(String.self, forKey: .rendition)
        chapters = try container.decode([AssetChapter].self, forKey: .chapters)
        chapterClass = try container.decodeIfPresent(String.self, forKey: .chapterClass)
        keepFor = try container.decodeIfPresent(Int.self, forKey: .keepFor)
    }
}

/// A programme, by its mark in the stream.
package enum ProgrammeChoice: Hashable, Sendable {
    /// The date range with an ID.
    case dateRange(id: String)
    /// The newest date range of a class.
    case className(String)
    /// The programme of SCTE-35 with this segmentation_event_id (ANSI/SCTE 35 § 10.3.3.1).
    case event(UInt32)
}

extension ProgrammeChoice: Codable {
    private enum CodingKeys: String, CodingKey {
        case dateRange = "date-range"
        case className = "class"
        case event
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if let id = try container.decodeIfPresent(String.self, forKey: .dateRange) {
            self = .dateRange(id: id)
        } else if let name = try container.decodeIfPresent(String.self, forKey: .className) {
            self = .className(name)
        } else {
            self = .event(try container.decode(UInt32.self, forKey: .event))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .dateRange(let id): try container.encode(id, forKey: .dateRange)
        case .className(let name): try container.encode(name, forKey: .className)
        case .event(let id): try container.encode(id, forKey: .event)
        }
    }
}

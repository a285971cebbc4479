package import Operations

/// The sources that fill the slots of a channel, now and lately, as the origin and the control API show them.
package struct OnAirStatus: Hashable, Codable, Sendable {
    package var renditions: [Rendition]

    package struct Rendition: Hashable, Codable, Sendable {
        package var id: String
        /// A run of slots that one source has filled.
        package var runs: [Run]

        package init(id: String, runs: [Run]) {
            self.id = id
            self.runs = runs
        }
    }

    package struct Run: Hashable, Codable, Sendable {
        /// The name of an input, `slate`, `hold`, or `none` for gaps.
        package var source: String
        package var start: Timestamp
        package var end: Timestamp

        package init(source: String, start: Timestamp, end: Timestamp) {
            self.source = source
            self.start = start
            self.end = end
        }
    }

    package init(renditions: [Rendition]) {
        self.renditions = renditions
    }
}

/// Decides on the notifications to a service manager.
package struct ServiceReport: Sendable {
    /// The state of a packager at one moment.
    package struct Observation: Sendable {
        /// Channels that publish media of an input.
        package var onAir: [String] = []
        /// Channels with a playlist whose newest segments are gaps, slates or held pictures.
        package var withoutMedia: [String] = []
        /// Channels that wait for their first playlist.
        package var waiting: [String] = []
        package var viewers = 0
        /// True if all channels and the origin show that they continue.
        package var isAlive = true

        package init() {}
    }

    private var status = ""

    package init() {}

    /// Returns the news of an observation.
    ///
    /// While any part stands still, the watchdog gets no sign of life, and the manager restarts the service after its
    /// timeout.
    package mutating func news(of observation: Observation) -> [ServiceManager.News] {
        var news: [ServiceManager.News] = []
        let text = observation.text
        if text != status {
            status = text
            news.append(.status(text))
        }
        if observation.isAlive { news.append(.alive) }
        return news
    }
}

extension ServiceReport.Observation {
    /// The report in sentences: `On air: live, sport. Without media: film. Waiting for a feed: news. 214 viewers.`.
    fileprivate var text: String {
        var sentences: [String] = []
        if !onAir.isEmpty { sentences.append("On air: \(Self.list(onAir)).") }
        if !withoutMedia.isEmpty { sentences.append("Without media: \(Self.list(withoutMedia)).") }
        if !waiting.isEmpty { sentences.append("Waiting for a feed: \(Self.list(waiting)).") }
        if !onAir.isEmpty || !withoutMedia.isEmpty {
            sentences.append(viewers == 1 ? "1 viewer." : "\(viewers) viewers.")
        }
        if !isAlive { sentences.append("Something stands still.") }
        return sentences.joined(separator: " ")
    }

    /// A line has room for some.
    private static func list(_ names: [String]) -> String {
        let most = 8
        let rest = names.count > most ? " and \(names.count - most) more" : ""
        return names.prefix(most).joined(separator: ", ") + rest
    }
}

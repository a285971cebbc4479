import ContentProtection
package import MediaCore
import XML

extension CPIXDocument {
    /// A crypto period (CPIX 2.4 § 7.4.14).
    package struct Period: Hashable, Sendable {
        /// The name in filters.
        package var id: String?
        package var index: Int64?
        /// The start, in UTC.
        package var start: MediaTime?
        /// The end, in UTC; exclusive.
        package var end: MediaTime?

        package init(id: String?, index: Int64?, start: MediaTime? = nil, end: MediaTime? = nil) {
            self.id = id
            self.index = index
            self.start = start
            self.end = end
        }

        /// Returns true if it is a period of a channel.
        ///
        /// Its times decide, if it has any, because the document's author may have counted from anywhere.
        func covers(_ period: CryptoPeriod, from channelStart: MediaTime?) -> Bool {
            if let start, let end, let channelStart { return start <= channelStart && channelStart < end }
            return index == period.index
        }
    }
}

extension CPIXDocument.Period {
    init(_ element: Element) throws(CPIXError) {
        id = element.attribute("id")
        index = try element.number("index")
        start = try element.time("start")
        end = try element.time("end")
        if let start, let end, end <= start { throw CPIXError("\(element.path)@end", "it is not after @start") }
        guard (start == nil) == (end == nil) else {
            throw CPIXError(element.path, "it has only one of @start and @end")
        }
    }

    var element: Element {
        Element(
            "ContentKeyPeriod",
            .cpix,
            ["id": id, "index": index.map(String.init), "start": start?.iso8601, "end": end?.iso8601]
        )
    }
}

extension Element {
    /// A point in time (xs:dateTime).
    fileprivate func time(_ name: String) throws(CPIXError) -> MediaTime? {
        guard let text = attribute(name) else { return nil }
        guard let time = MediaTime(iso8601: text) else {
            throw CPIXError("\(path)@\(name)", "it is not a time with its zone, such as 2026-11-22T20:00:00Z")
        }
        return time
    }
}

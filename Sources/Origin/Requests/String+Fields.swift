import Playlists
import Recording

extension Substring {
    /// True if, as the query of a multivariant playlist, it may have filters or a time.
    var mayChoose: Bool { MultivariantFilter.mayBe(in: self) || PastRange.mayBe(in: self) }
}

extension String {
    /// The query of a request target, without its question mark and a fragment; nil if there is none.
    var query: Substring? {
        guard let mark = utf8.firstIndex(of: UInt8(ascii: "?")) else { return nil }
        return self[utf8.index(after: mark)...].prefix { $0 != "#" }
    }
}

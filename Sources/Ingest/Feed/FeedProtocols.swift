import CFFmpeg
package import MediaCore

/// What libavformat can open, as it was built.
package enum FeedProtocols {
    /// Schemes of URLs that it knows, of protocols and of formats that open connections themselves, as `rtsp`.
    package static let schemes: Set<String> = {
        var names: Set<String> = []
        var opaque: UnsafeMutableRawPointer?
        while let name = unsafe avio_enum_protocols(&opaque, 0) { names.insert(unsafe String(cString: name)) }
        unsafe opaque = nil
        while let format = unsafe av_demuxer_iterate(&opaque) {
            guard unsafe format.pointee.flags & AVFMT_NOFILE != 0, let name = unsafe format.pointee.name else {
                continue
            }
            for name in unsafe String(cString: name).split(separator: ",") { names.insert(String(name)) }
        }
        return names.union(["rtsps", "rtspu"])
    }()

    /// The scheme of a feed that nothing can open; nil where it has none, or a known one.
    package static func unknownScheme(of feed: FeedLocation) -> String? {
        feed.scheme.flatMap { schemes.contains($0) ? nil : $0 }
    }
}

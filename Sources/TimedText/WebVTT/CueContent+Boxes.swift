extension CueContent {
    /// Reads a sample of WebVTT in MP4 (ISO/IEC 14496-30 § 7.4): the cues in its boxes, one below the other.
    ///
    /// Fails if there is no text to show, as in a sample that has only a `vtte` box.
    ///
    /// - Parameter sample: Its bytes.
    package init?(webVTTSample sample: RawSpan) {
        var texts: [String] = []
        var settings = ""
        Self.forEachBox(of: sample) { type, cue in
            guard type == "vttc" else { return }
            Self.forEachBox(of: cue) { type, content in
                let text = unsafe content.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
                switch type {
                case "payl": texts.append(text)
                case "sttg" where texts.isEmpty: settings = text
                default: break
                }
            }
        }
        self.init(text: texts.joined(separator: "\n"), settings: settings)
    }

    private static func forEachBox(of bytes: RawSpan, _ body: (String, RawSpan) -> Void) {
        var rest = bytes
        while rest.byteCount >= 8 {
            let head = unsafe rest.extracting(first: 8).withUnsafeBytes { unsafe Array($0) }
            let size = head[..<4].reduce(0) { $0 << 8 | Int($1) }
            guard 8...rest.byteCount ~= size else { return }
            body(String(decoding: head[4...], as: UTF8.self), rest.extracting(8..<size))
            rest = rest.extracting(droppingFirst: size)
        }
    }
}

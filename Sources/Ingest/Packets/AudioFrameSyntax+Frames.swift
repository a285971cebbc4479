import Codecs
import MediaCore

extension AudioFrameSyntax? {
    /// Calls `body` with each frame and the extent in its header; nil if frames have none.
    func forEachFrame(of payload: RawSpan, _ body: (RawSpan, AudioFrameExtent?) -> Void) {
        var rest = payload
        while let header = self?.wholeHeader(rest) {
            // Extension channels are more than AAC carries; the frame is whole without them.
            if header.samples > 0 { body(rest.extracting(first: header.byteCount), header) }
            rest = rest.extracting(droppingFirst: header.byteCount)
        }
        if !rest.isEmpty { body(rest, nil) }
    }
}

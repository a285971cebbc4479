import MediaCore

@testable import Codecs

extension AccessUnit {
    /// The ranges of the protected bytes.
    var tiles: [Range<Int>] {
        var position = 0
        return subsamples.compactMap { subsample in
            let start = position + Int(subsample.clearBytes)
            position = start + Int(subsample.protectedBytes)
            return subsample.protectedBytes > 0 ? start..<position : nil
        }
    }
}

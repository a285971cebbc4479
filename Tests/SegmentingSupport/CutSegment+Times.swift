import ISOBMFF
package import Segmenting

extension CutSegment {
    /// Decode and presentation time of every sample, in units of the timescale.
    package var times: [(decode: Int64, presentation: Int64)] {
        var decode = decodeTime
        return samples.map { sample in
            defer { decode += Int64(sample.duration) }
            return (decode, decode + Int64(sample.compositionOffset))
        }
    }
}

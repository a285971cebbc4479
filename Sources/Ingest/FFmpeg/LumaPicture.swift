import CFFmpeg

/// The luma of a picture, 8 bits a sample, with so many lines and columns left out that it can be looked through quickly.
struct LumaPicture: Sendable {
    let width: Int
    let height: Int
    /// Row by row, from the top.
    private(set) var samples: [UInt8]

    /// The most lines: of larger pictures every second line and column says as much, or every fourth; of fields it is
    /// one that is left.
    private static let lines = 540

    /// A picture of one's own.
    init(width: Int, height: Int, samples: [UInt8]) {
        precondition(samples.count == width * height, "there are as many samples as the picture has room for")
        self.width = width
        self.height = height
        self.samples = samples
    }

    /// Copies the luma of a decoded frame; nil if it has no such plane of samples in memory.
    init?(_ frame: UnsafeMutablePointer<AVFrame>) {
        let format = unsafe AVPixelFormat(frame.pointee.format)
        let (fullWidth, fullHeight) = unsafe (Int(frame.pointee.width), Int(frame.pointee.height))
        guard let description = unsafe av_pix_fmt_desc_get(format), fullWidth > 0, fullHeight > 0 else { return nil }
        let luma = unsafe description.pointee.comp.0
        let excluded = UInt64(AV_PIX_FMT_FLAG_HWACCEL | AV_PIX_FMT_FLAG_BITSTREAM | AV_PIX_FMT_FLAG_PAL)
        guard unsafe description.pointee.flags & excluded == 0, (8...16).contains(luma.depth),
            let plane = unsafe Self.plane(Int(luma.plane), of: frame)
        else { return nil }
        let step = max(1, fullHeight / Self.lines)
        let (width, height) = (fullWidth / step, fullHeight / step)
        let bytes = Int(luma.step)
        var samples = [UInt8](repeating: 0, count: width * height)
        for row in 0..<height {
            var source = unsafe plane.start + row * step * plane.stride + Int(luma.offset)
            let start = row * width
            for column in 0..<width {
                if luma.depth == 8 {
                    samples[start + column] = unsafe source.load(as: UInt8.self)
                } else {
                    let sample = unsafe Int(source.loadUnaligned(as: UInt16.self)) >> Int(luma.shift)
                    samples[start + column] = UInt8(truncatingIfNeeded: sample >> (Int(luma.depth) - 8))
                }
                unsafe source += bytes * step
            }
        }
        self.init(width: width, height: height, samples: samples)
    }

    private static func plane(
        _ index: Int,
        of frame: UnsafeMutablePointer<AVFrame>
    ) -> (start: UnsafeRawPointer, stride: Int)? {
        let (data, strides) = unsafe (frame.pointee.data, frame.pointee.linesize)
        let plane: (UnsafeMutablePointer<UInt8>?, Int32) =
            switch index {
            case 0: unsafe (data.0, strides.0)
            case 1: unsafe (data.1, strides.1)
            default: unsafe (data.2, strides.2)
            }
        return unsafe plane.0.map { unsafe (UnsafeRawPointer($0), Int(plane.1)) }
    }
}

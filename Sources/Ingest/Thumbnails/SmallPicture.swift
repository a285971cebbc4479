import CFFmpeg

/// A decoded picture made small, as JPEG (JFIF, ITU-T T.871) wants it: 4:2:0, full range, the matrix of BT.601.
struct SmallPicture {
    let width: Int
    let height: Int
    // Row by row, from the top; of chroma half the rows and columns.
    private(set) var luma: [UInt8]
    private(set) var blue: [UInt8]
    private(set) var red: [UInt8]

    /// The samples of a row: sharp on a phone, and on a screen with many channels.
    private static let mostColumns = 480

    /// Takes a decoder's frame; fails if its planes of samples are not in memory.
    init?(_ frame: UnsafeMutablePointer<AVFrame>) {
        let format = unsafe AVPixelFormat(frame.pointee.format)
        guard let description = unsafe av_pix_fmt_desc_get(format) else { return nil }
        let (columns, rows) = unsafe (Int(frame.pointee.width), Int(frame.pointee.height))
        let excluded =
            UInt64(AV_PIX_FMT_FLAG_HWACCEL | AV_PIX_FMT_FLAG_BITSTREAM | AV_PIX_FMT_FLAG_PAL)
            | UInt64(AV_PIX_FMT_FLAG_RGB)
        let depth = unsafe Int(description.pointee.comp.0.depth)
        guard unsafe description.pointee.flags & excluded == 0, (8...16).contains(depth), columns >= 16, rows >= 16
        else { return nil }
        let aspect = unsafe frame.pointee.sample_aspect_ratio
        let stretch = aspect.num > 0 && aspect.den > 0 ? Double(aspect.num) / Double(aspect.den) : 1
        let ratio = Double(columns) * min(8, max(0.125, stretch)) / Double(rows)
        width = max(2, min(Self.mostColumns, columns) / 2 * 2)
        height = max(2, min(Self.mostColumns, Int(Double(width) / ratio)) / 2 * 2)

        guard let plane = unsafe Plane(frame, description.pointee.comp.0, columns, rows) else { return nil }
        luma = plane.scaled(to: width, height)
        let gray = [UInt8](repeating: 128, count: width * height / 4)
        (blue, red) = (gray, gray)
        let (shiftX, shiftY) = unsafe (Int(description.pointee.log2_chroma_w), Int(description.pointee.log2_chroma_h))
        let (chromaColumns, chromaRows) = (-(-columns >> shiftX), -(-rows >> shiftY))
        if unsafe description.pointee.nb_components >= 3,
            let bluePlane = unsafe Plane(frame, description.pointee.comp.1, chromaColumns, chromaRows),
            let redPlane = unsafe Plane(frame, description.pointee.comp.2, chromaColumns, chromaRows)
        {
            blue = bluePlane.scaled(to: width / 2, height / 2)
            red = redPlane.scaled(to: width / 2, height / 2)
        }
        if unsafe frame.pointee.color_range != AVCOL_RANGE_JPEG { widenRange() }
        if unsafe frame.pointee.color_trc == AVCOL_TRC_SMPTE2084 { compressDynamicRange() }
        // Without a label, pictures from the size of HDTV on are BT.709, as in other software.
        let matrix = unsafe frame.pointee.colorspace
        let isOld = [AVCOL_SPC_BT470BG, AVCOL_SPC_SMPTE170M, AVCOL_SPC_FCC].contains(matrix)
        if !isOld, matrix != AVCOL_SPC_UNSPECIFIED || rows >= 720 { useMatrixOfJPEG() }
    }

    /// Widens 16...235 (of chroma 16...240) to 0...255.
    private mutating func widenRange() {
        for index in luma.indices { luma[index] = Self.clamped((Int(luma[index]) - 16) * 255 / 219) }
        for index in blue.indices {
            blue[index] = Self.clamped((Int(blue[index]) - 128) * 255 / 224 + 128)
            red[index] = Self.clamped((Int(red[index]) - 128) * 255 / 224 + 128)
        }
    }

    /// Turns colours of the matrix of BT.709 into those of JPEG's, in 65536ths.
    private mutating func useMatrixOfJPEG() {
        for row in 0..<height {
            for column in 0..<width {
                let chroma = row / 2 * (width / 2) + column / 2
                let (b, r) = (Int(blue[chroma]) - 128, Int(red[chroma]) - 128)
                let index = row * width + column
                luma[index] = Self.clamped(Int(luma[index]) + (b * 6_657 + r * 12_850) >> 16)
            }
        }
        for index in blue.indices {
            let (b, r) = (Int(blue[index]) - 128, Int(red[index]) - 128)
            blue[index] = Self.clamped(128 + (b * 64_871 - r * 7_252) >> 16)
            red[index] = Self.clamped(128 + (r * 64_448 - b * 4_748) >> 16)
        }
    }

    /// Turns PQ into gamma, as which it would be shown dimly: reference white becomes nearly white, and highlights
    /// bend.
    ///
    /// Chroma follows luma; its primaries stay those of BT.2020, which an operator does not miss.
    private mutating func compressDynamicRange() {
        for row in 0..<height / 2 {
            for column in 0..<width / 2 {
                let chroma = row * (width / 2) + column
                let corner = 2 * row * width + 2 * column
                let before = Int(luma[corner])
                for index in [corner, corner + 1, corner + width, corner + width + 1] {
                    luma[index] = PerceptualQuantizer.display[Int(luma[index])]
                }
                let after = Int(PerceptualQuantizer.display[before])
                blue[chroma] = Self.clamped(128 + (Int(blue[chroma]) - 128) * after / max(1, before))
                red[chroma] = Self.clamped(128 + (Int(red[chroma]) - 128) * after / max(1, before))
            }
        }
    }

    private static func clamped(_ value: Int) -> UInt8 { UInt8(max(0, min(255, value))) }
}

/// Samples of one component of a decoded picture.
@safe
private struct Plane {
    private let start: UnsafeRawPointer
    /// Bytes from row to row, and from sample to sample.
    private let stride: Int
    private let step: Int
    private let columns: Int
    private let rows: Int
    /// The bits that are shifted out to leave eight; nil for samples of one byte.
    private let shift: Int?

    init?(
        _ frame: UnsafeMutablePointer<AVFrame>,
        _ component: AVComponentDescriptor,
        _ columns: Int,
        _ rows: Int
    ) {
        let (data, strides) = unsafe (frame.pointee.data, frame.pointee.linesize)
        let plane: (UnsafeMutablePointer<UInt8>?, Int32) =
            switch component.plane {
            case 0: unsafe (data.0, strides.0)
            case 1: unsafe (data.1, strides.1)
            default: unsafe (data.2, strides.2)
            }
        guard let pointer = unsafe plane.0 else { return nil }
        unsafe start = UnsafeRawPointer(pointer) + Int(component.offset)
        stride = unsafe Int(plane.1)
        step = Int(component.step)
        shift = component.depth > 8 ? Int(component.shift) + Int(component.depth) - 8 : nil
        (self.columns, self.rows) = (columns, rows)
    }

    /// The most samples a side that are averaged, of each block that becomes one sample: more are not seen.
    private static let taps = 4

    func scaled(to width: Int, _ height: Int) -> [UInt8] {
        let (horizontal, vertical) = (Self.places(columns, width), Self.places(rows, height))
        var samples = [UInt8](repeating: 0, count: width * height)
        unsafe samples.withUnsafeMutableBufferPointer { samples in
            var index = 0
            for lines in vertical {
                for places in horizontal {
                    var sum = 0
                    for row in lines {
                        let line = unsafe start + row * stride
                        for column in places {
                            if let shift {
                                sum +=
                                    unsafe Int(line.loadUnaligned(fromByteOffset: column * step, as: UInt16.self))
                                    >> shift
                            } else {
                                sum += unsafe Int(line.load(fromByteOffset: column * step, as: UInt8.self))
                            }
                        }
                    }
                    let count = lines.count * places.count
                    unsafe samples[index] = UInt8(truncatingIfNeeded: min(255, (sum + count / 2) / count))
                    index += 1
                }
            }
        }
        return samples
    }

    /// The samples of a line that each one of the scaled line is made of.
    private static func places(_ count: Int, _ scaled: Int) -> [[Int]] {
        (0..<scaled).map { place in
            let first = place * count / scaled
            let length = max(1, (place + 1) * count / scaled - first)
            let taps = min(length, Self.taps)
            return (0..<taps).map { min(count - 1, first + $0 * length / taps) }
        }
    }
}

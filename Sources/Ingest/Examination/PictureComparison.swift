import MediaCore

/// Decides if pictures show the same, apart from the noise of an encoder.
///
/// An encoder with a frozen source does not produce identical decoded pictures: key frames are coarser or finer than
/// those before, and pictures between them refine them. That changes much of the picture a little. What moves changes a
/// part of it much: single samples where there are edges, or the mean of a block where a smooth surface drifts.
/// Pictures are compared with the one that was there when something last moved, so that what moves slowly adds up.
///
/// Film grain changes most of the picture from one to the next by as little as an encoder does. But an encoder comes
/// back to what was there before (pictures of one quality take turns with those of another) or comes to an end, and
/// grain does not.
struct PictureComparison: Sendable {
    /// The picture when something last moved.
    private var reference: LumaPicture?
    /// Every eighth line of the pictures since then, the newest last.
    private var recent: [[UInt8]] = []

    /// A long group of pictures, at five pictures a second.
    private static let mostRecent = 25

    // The thresholds were measured with x264 and x265 under all kinds of rate control, at 0.07 bits a sample and more.
    // The pictures were still, or had a clock of 16 lines, a mouth, a pan of two samples a second, a zoom of one
    // percent a second, or film grain.

    /// Mean difference of a block of 8x8 samples: an edge has moved.
    ///
    /// Encoders of a standing picture stay below 20.
    private static let edge = 24
    /// The difference of the means of blocks of 16x16 samples that shows a moved surface.
    ///
    /// Encoders of a standing picture stay below 5, and below 9 after a movement, while they refine the picture.
    private static let surface = 9
    /// The difference of eight samples in a line that counts: a quarter of them differs by at least one.
    private static let shimmer = 2

    private static let block = 8
    private static let samplesPerBlock = block * block

    /// Compares the next picture, which has no fewer than 16 lines and columns, with those before it.
    mutating func change(to picture: LumaPicture) -> ContentFinding.PictureChange {
        guard let reference, reference.width == picture.width, reference.height == picture.height,
            !Self.hasMoved(picture, from: reference)
        else {
            reference = picture
            recent = [Self.lines(of: picture)]
            return .moved
        }
        let lines = Self.lines(of: picture)
        let isSeenBefore = recent.reversed().contains { !Self.shimmer(lines, beside: $0) }
        recent.append(lines)
        if recent.count > Self.mostRecent { recent.removeFirst() }
        return isSeenBefore ? .same : .shimmers
    }

    private static func hasMoved(_ picture: LumaPicture, from reference: LumaPicture) -> Bool {
        let width = picture.width
        return unsafe picture.samples.withUnsafeBufferPointer { picture in
            unsafe reference.samples.withUnsafeBufferPointer { reference in
                for start in starts(width, reference.count / width) {
                    var drift = 0
                    for corner in corners(width) {
                        let (absolute, signed) = unsafe difference(picture, reference, from: start + corner, width)
                        if absolute >= edge * samplesPerBlock { return true }
                        drift += signed
                    }
                    if abs(drift) >= surface * samplesPerBlock * 4 { return true }
                }
                return false
            }
        }
    }

    private static func lines(of picture: LumaPicture) -> [UInt8] {
        stride(from: block / 2, to: picture.height, by: block).flatMap { row in
            picture.samples[row * picture.width..<(row + 1) * picture.width]
        }
    }

    /// Returns true if half of the lines differ a little.
    private static func shimmer(_ lines: [UInt8], beside others: [UInt8]) -> Bool {
        unsafe lines.withUnsafeBufferPointer { lines in
            unsafe others.withUnsafeBufferPointer { others in
                var changed = 0
                for start in stride(from: 0, through: lines.count - block, by: block) {
                    var distance: Int32 = 0
                    for place in start..<start + block {
                        distance &+= abs(unsafe Int32(lines[place]) - Int32(others[place]))
                    }
                    if distance >= shimmer { changed += 1 }
                }
                return changed * 2 * block >= lines.count
            }
        }
    }

    /// The places where blocks of 16x16 begin; the last ones end with the picture.
    private static func starts(_ width: Int, _ height: Int) -> [Int] {
        let size = block * 2
        let columns = stride(from: 0, to: width, by: size).map { min($0, width - size) }
        return stride(from: 0, to: height, by: size).flatMap { row in
            columns.map { min(row, height - size) * width + $0 }
        }
    }

    /// The places where blocks of 8x8 begin in one of 16x16.
    private static func corners(_ width: Int) -> [Int] { [0, block, block * width, block * width + block] }

    private static func difference(
        _ picture: UnsafeBufferPointer<UInt8>,
        _ other: UnsafeBufferPointer<UInt8>,
        from start: Int,
        _ width: Int
    ) -> (absolute: Int, signed: Int) {
        var (absolute, signed): (Int32, Int32) = (0, 0)
        var row = start
        for _ in 0..<block {
            for place in row..<row + block {
                let distance = unsafe Int32(picture[place]) - Int32(other[place])
                absolute &+= abs(distance)
                signed &+= distance
            }
            row += width
        }
        return (Int(absolute), Int(signed))
    }
}

import MediaCore

/// The size and the turn of a track's pictures in its presentation, as `tkhd` has them (ISO/IEC 14496-12 § 8.3.2).
package struct PicturePlacement: Hashable, Sendable {
    /// Nine values, 16.16 and 2.30 fixed point (ISO/IEC 14496-12 § 6.2.2).
    let matrix: [UInt32]
    /// Square pixels, 16.16 fixed point.
    let width: UInt32
    let height: UInt32

    /// The transformation that turns a picture, and moves it back to where its upper left corner is the origin.
    ///
    /// - Parameters:
    ///   - width: The width of the picture before, 16.16 fixed point; 0 for all but video.
    ///   - height: The same.
    ///   - rotation: The rotation.
    init(width: UInt32, height: UInt32, rotation: PictureRotation = .none) {
        let (a, b, c, d) = rotation.matrix
        let (x, y): (UInt32, UInt32) =
            switch rotation {
            case .none: (0, 0)
            case .quarter: (height, 0)
            case .half: (width, height)
            case .threeQuarters: (0, width)
            }
        matrix = [a << 16, b << 16, 0, c << 16, d << 16, 0].map { UInt32(bitPattern: $0) } + [x, y, 0x4000_0000]
        (self.width, self.height) = (width, height)
    }

    /// Takes over the end of another track header.
    ///
    /// - Parameter values: Its last 11 values: matrix, width and height; nil if there are more or fewer.
    package init?(_ values: [UInt32]) {
        guard values.count == 11 else { return nil }
        (matrix, width, height) = (Array(values.prefix(9)), values[9], values[10])
    }
}

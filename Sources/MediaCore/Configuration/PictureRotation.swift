/// The rotation of a picture before it is shown, clockwise, as containers have it and codecs do not.
package enum PictureRotation: Int, Hashable, Sendable {
    case none = 0
    case quarter = 90
    case half = 180
    case threeQuarters = 270

    /// True if width and height keep their places.
    package var isUpright: Bool { self == .none || self == .half }

    /// The upper left of a display matrix, which maps a picture's x and y to those on the screen (ISO/IEC 14496-12
    /// § 6.2.2), in whole numbers.
    package var matrix: (a: Int32, b: Int32, c: Int32, d: Int32) {
        switch self {
        case .none: (1, 0, 0, 1)
        case .quarter: (0, 1, -1, 0)
        case .half: (-1, 0, 0, -1)
        case .threeQuarters: (0, -1, 1, 0)
        }
    }
}

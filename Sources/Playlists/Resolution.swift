package import MediaCore

/// Width and height of a picture in pixels.
package struct Resolution: Hashable, Sendable {
    package var width: Int
    package var height: Int

    package init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// The resolution at which pictures are to be displayed (RFC 8216bis § 4.4.6.2).
    package init(_ picture: PictureFormat) {
        let ratio = picture.sampleAspectRatio
        let width = picture.width * ratio.numerator / max(1, ratio.denominator)
        if picture.rotation.isUpright {
            self.init(width: width, height: picture.height)
        } else {
            self.init(width: picture.height, height: width)
        }
    }
}

extension VideoClass {
    /// The class of a size.
    package init(_ resolution: Resolution) {
        self.init(lines: min(resolution.width, resolution.height))
    }
}

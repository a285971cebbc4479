import ContentProtection
import MediaCore

/// Typical pictures of a class, for documents that count pixels instead of lines.
///
/// Sizes are the usual ones, on the same side of the limits of licences: 768 × 576 or 1024 × 576 pixels for SD, and
/// 1920 × 1080 for HD.
struct ClassPicture {
    var size: VideoClass
    /// Width times height.
    var pixels: Int64
    var isHDR: Bool

    static let all = [false, true].flatMap { isHDR in
        [(640, 360), (720, 576), (1280, 720), (1920, 1080), (3840, 2160)].map { width, height in
            ClassPicture(size: VideoClass(lines: height), pixels: Int64(width * height), isHDR: isHDR)
        }
    }
}

extension KeyClasses {
    /// The pictures that stand for a class of video; none for audio.
    func pictures(of keyClass: KeyClass) -> [ClassPicture] {
        ClassPicture.all.filter { ofPicture($0.size, isHDR: $0.isHDR) == keyClass }
    }

    /// Filters that let a class of video through, and no other; nothing for audio.
    func filters(of keyClass: KeyClass) -> [CPIXDocument.VideoFilter] {
        let isHDR = apart.contains(.hdr) ? keyClass == .hdr : nil
        let sizes = keyClass == .hdr ? [] : VideoClass.sizes.filter { ofPicture($0, isHDR: false) == keyClass }
        if keyClass == .hdr || sizes == VideoClass.sizes { return [CPIXDocument.VideoFilter(nil, isHDR: isHDR)] }
        return sizes.map { CPIXDocument.VideoFilter($0, isHDR: isHDR) }
    }
}

extension CPIXDocument.VideoFilter {
    /// - Parameters:
    ///   - size: Nil for any.
    ///   - isHDR: Nil for either.
    fileprivate init(_ size: VideoClass?, isHDR: Bool?) {
        self.init()
        self.isHDR = isHDR
        let largest: (sd: Int64, hd: Int64) = (1024 * 576, 1920 * 1080)
        switch size {
        case .sd: maxPixels = largest.sd
        case .hd: (minPixels, maxPixels) = (largest.sd + 1, largest.hd)
        case .uhd: minPixels = largest.hd + 1
        case .hdr, nil: break
        }
    }

    func matches(_ picture: ClassPicture) -> Bool {
        (minPixels ?? .min) <= picture.pixels && picture.pixels <= (maxPixels ?? .max)
            && (isHDR ?? picture.isHDR) == picture.isHDR
    }
}

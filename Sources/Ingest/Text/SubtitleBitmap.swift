import CFFmpeg

/// A picture of text: dark on white, as programs that read text want it.
struct SubtitleBitmap: Hashable, Sendable {
    var width: Int
    var height: Int
    /// A byte each: 0 is text, 255 is none.
    var pixels: [UInt8]
    /// Lines from the top of the screen.
    var top: Int

    /// Larger than any screen has.
    private static let mostPixels = 1920 * 1080

    /// Reads a bitmap; fails if it is empty.
    ///
    /// Bright opaque pixels are letters: nearly all subtitles are white or coloured, with a dark edge or box.
    init?(_ rectangle: UnsafePointer<AVSubtitleRect>) {
        let (width, height) = unsafe (Int(rectangle.pointee.w), Int(rectangle.pointee.h))
        let (data, stride) = unsafe (rectangle.pointee.data.0, Int(rectangle.pointee.linesize.0))
        let colors = unsafe max(0, min(256, Int(rectangle.pointee.nb_colors)))
        guard width > 0, height > 0, width * height <= Self.mostPixels, stride >= width, let data = unsafe data,
            let palette = unsafe rectangle.pointee.data.1
        else { return nil }
        // AARRGGBB in the machine's order.
        let entries = UnsafeRawPointer(palette)
        var darkness: [UInt8] = []
        for index in 0..<colors {
            let color = unsafe entries.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self)
            let (red, green, blue) = (color >> 16 & 0xFF, color >> 8 & 0xFF, color & 0xFF)
            let luma = (red * 77 + green * 150 + blue * 29) >> 8
            let visible = luma * (color >> 24) / 255
            darkness.append(UInt8(255 - visible))
        }
        var pixels = [UInt8](repeating: 255, count: width * height)
        for y in 0..<height {
            for x in 0..<width {
                let index = Int(unsafe data[y * stride + x])
                if index < colors { pixels[y * width + x] = darkness[index] }
            }
        }
        guard pixels.contains(where: { $0 < 128 }) else { return nil }
        self.width = width
        self.height = height
        self.pixels = pixels
        top = unsafe Int(rectangle.pointee.y)
    }
}

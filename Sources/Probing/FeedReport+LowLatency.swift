import MediaCore

extension FeedReport {
    /// Seconds of a part that suits most networks.
    private static let usualPart = 1.0
    /// Seconds of the shortest part that part-duration allows.
    private static let shortestPart = 0.2
    /// The greatest distance of key frames for low latency, in seconds: 60 pictures of NTSC are a little more than two.
    private static let longestGroup = 2.01
    /// Pictures a second at most: a header may declare any number, and it says nothing of the pictures then.
    private static let highestRate = 1000.0

    /// Players begin with a part that has a key frame, and parts end with a picture: the best length is one of whole
    /// pictures, and divides the distance of key frames.
    var lowLatencyAdvice: Advice? {
        guard let picture = video, picture.groups.isRegular, let distance = picture.groups.mean, distance > 0,
            let rate = picture.frameRate, rate > 0, rate <= Self.highestRate
        else { return nil }
        guard distance <= Self.longestGroup else {
            guard distance <= Self.usualSegment.seconds else { return nil }
            return Advice(
                text:
                    "Low latency (LL-HLS) wants a key frame every second or two, since players begin with one: these are "
                    + "\(Self.text(distance)) s apart."
            )
        }
        let pictures = Self.picturesOfAPart(group: Int((distance * rate).rounded()), rate: rate)
        // Rounded up, so that they fit in.
        let length = (Double(pictures) / rate * 1000 - 0.005).rounded(.up) / 1000
        return Advice(
            setting: "part-duration: \(Self.text(length))",
            text:
                "Players could be about \(Self.text((3 * length).rounded(to: 1))) s behind instead of \(publication.latency): "
                + "parts of \(pictures) pictures (LL-HLS) fit the key frames, \(Self.text(distance)) s apart."
        )
    }

    /// Returns the pictures of a part: some that go into a group of pictures, or those of some whole groups.
    private static func picturesOfAPart(group: Int, rate: Double) -> Int {
        let whole = max(group, 1)
        let groups = max(1, Int((usualPart * rate / Double(whole)).rounded()))
        let divisors = (1...whole).filter { whole.isMultiple(of: $0) && Double($0) / rate >= shortestPart }
        let distance = { (count: Int) in abs(Double(count) / rate - usualPart) }
        return (divisors + [whole * groups]).min { distance($0) < distance($1) } ?? whole
    }
}

import NIOCore
import Testing

@testable import HTTPServing

@Suite struct FrameAllowanceTests {
    private static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

    private static func frame(_ type: UInt8, _ count: Int = 0) -> [UInt8] {
        [0, UInt8(count >> 8), UInt8(count & 0xff), type, 0, 0, 0, 0, 1] + [UInt8](repeating: 1, count: count)
    }

    /// Returns how many of `count` frames are allowed before there are too many.
    private static func allowed(
        _ frame: [UInt8],
        of count: Int,
        by allowance: inout FrameAllowance,
        at now: NIODeadline = .uptimeNanoseconds(0)
    ) -> Int {
        for number in 0..<count {
            guard frame.withUnsafeBytes({ allowance.received($0, at: now) }) else { return number }
        }
        return count
    }

    private static func allowance() -> FrameAllowance {
        var allowance = FrameAllowance(now: .uptimeNanoseconds(0))
        #expect(Self.allowed(preface, of: 1, by: &allowance) == 1)
        return allowance
    }

    /// DATA, PRIORITY, SETTINGS, PING, WINDOW_UPDATE, and two that nobody knows.
    @Test(arguments: [0, 2, 4, 6, 8, 0x20, 0xff] as [UInt8])
    func framesThatNobodyAskedForAreCounted(type: UInt8) {
        var allowance = Self.allowance()
        #expect(Self.allowed(Self.frame(type, 4), of: 10_000, by: &allowance) == MultiplexLimits.frames)
    }

    @Test func piecesAreReadAsAWholeIs() {
        let bytes = Self.preface + (0..<300).flatMap { Self.frame(8, $0) }
        for size in [1, 2, 7, 9, 10, 1000] {
            var allowance = FrameAllowance(now: .uptimeNanoseconds(0))
            for start in stride(from: 0, to: bytes.count, by: size) {
                let piece = bytes[start..<min(start + size, bytes.count)]
                #expect(piece.withUnsafeBytes { allowance.received($0, at: .uptimeNanoseconds(0)) })
            }
            #expect(allowance.left == MultiplexLimits.frames - 300)
        }
    }

    @Test func aRequestAndWhatIsSentAllowMore() {
        var allowance = Self.allowance()
        #expect(Self.allowed(Self.frame(1, 30), of: 50, by: &allowance) == 50)
        for _ in 0..<1000 { allowance.sent(MultiplexLimits.bytesPerFrame / 4) }
        let frames = MultiplexLimits.frames + 50 * MultiplexLimits.framesPerRequest + 250
        #expect(Self.allowed(Self.frame(8, 4), of: 10_000, by: &allowance) == frames)
    }

    @Test func aWindowBeginsWithItsOwn() {
        var allowance = Self.allowance()
        let later = NIODeadline.uptimeNanoseconds(0) + MultiplexLimits.window
        #expect(Self.allowed(Self.frame(8, 4), of: 900, by: &allowance) == 900)
        #expect(Self.allowed(Self.frame(8, 4), of: 10_000, by: &allowance, at: later) == MultiplexLimits.frames)
    }

    @Test func whatIsSavedHasAnEnd() {
        var allowance = Self.allowance()
        allowance.sent(1 << 40)
        #expect(allowance.left == MultiplexLimits.mostFrames)
        #expect(Self.allowed(Self.frame(1), of: 10, by: &allowance) == 10)
        #expect(allowance.left == MultiplexLimits.mostFrames)
    }
}

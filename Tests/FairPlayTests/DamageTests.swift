import FairPlay
import FairPlaySupport
import NIOCore
import TestSupport
import Testing

/// A change of an SPC on its way gains nothing.
@Suite struct DamageTests {
    /// Plaintext bytes of the payload that change with a byte of the SPC; nil if it belongs neither to the IV nor to
    /// the payload.
    ///
    /// In CBC, a changed byte changes its own block beyond recognition, and one byte of the next.
    private func changedBytes(_ position: Int, _ start: Int, _ count: Int) -> [Int]? {
        if (8..<24).contains(position) { return [position - 8] }
        guard position >= start else { return nil }
        let offset = position - start
        let block = offset / 16 * 16
        return Array(block..<block + 16) + (offset + 16 < count ? [offset + 16] : [])
    }

    @Test(.timeLimit(.minutes(5)), arguments: SPCVersion.allCases)
    func noChangedByteGivesTheKeyUnlessItIsPadding(version: SPCVersion) throws {
        let device = try TestDevice(version)
        let spc = try device.spc()
        let isPadding = device.fields.flatMap { $0.bytes.map(\.isPadding) }
        let start = version == .one ? 176 : 304
        let module = try KeySecurityModule.test()
        var harmless = 0
        // All of the header, and of the payload all residues of a block.
        for position in Array(0..<start) + Array(start..<spc.readableBytes).oneIn(5) {
            let license = (try? module.answer(spc.changed(at: position))).flatMap { try? device.open($0.ckc) }
            // Four bytes of the header are reserved.
            let isHarmless =
                (4..<8).contains(position)
                || version != .three
                    && changedBytes(position, start, isPadding.count)?.allSatisfy { isPadding[$0] } == true
            #expect((license?.contentKey == KeyGrant.key) == isHarmless, "byte \(position)")
            if isHarmless { harmless += 1 }
        }
        #expect(version == .three ? harmless == 4 : harmless > 4)
    }

    @Test(.timeLimit(.minutes(5)))
    func anyBytesAreRefusedOrAnswered() throws {
        var generator = SeededGenerator(seed: 1)
        let device = try TestDevice(.one)
        let module = try KeySecurityModule.test()
        let whole = device.fields.flatMap { $0.bytes.map(\.byte) }
        for _ in 0..<2000 {
            var payload = whole
            for _ in 0...Int.random(in: 0...5, using: &generator) {
                let index = Int.random(in: 0..<payload.count, using: &generator)
                // Lengths go wrong at the edges.
                payload[index] = [0, 1, 15, 16, 127, 128, 255][Int.random(in: 0...6, using: &generator)]
            }
            let spc = try device.spc(payload: payload)
            do throws(FairPlayError) {
                _ = try module.answer(spc)
            } catch {
                #expect(error.number < 0)
            }
        }
    }
}

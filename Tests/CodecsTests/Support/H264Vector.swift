import Testing

/// Parameter sets and slices as x264 wrote them, slices cut short behind the header, with what FFmpeg's
/// `trace_headers` makes of their headers.
struct H264Vector: Sendable, CustomTestStringConvertible {
    struct Slice: Sendable {
        var nalUnit: [UInt8]
        var bitCount: Int
        var byteCount: Int

        init(_ hex: String, bits: Int, bytes: Int) {
            nalUnit = [UInt8](hex: hex)
            bitCount = bits
            byteCount = bytes
        }
    }

    var name: String
    var sequenceParameterSet: [UInt8]
    var pictureParameterSet: [UInt8]
    /// An IDR slice, a P slice and, if the stream has them, a B slice.
    var slices: [Slice]

    var testDescription: String { name }

    init(_ name: String, sps: String, pps: String, slices: [Slice]) {
        self.name = name
        sequenceParameterSet = [UInt8](hex: sps)
        pictureParameterSet = [UInt8](hex: pps)
        self.slices = slices
    }

    static let all = [
        baseline, cavlc, interlaced, cabac, manyReferences, fullChroma, monochrome, severalSlices, tenBit, tinySlices,
        cropped, constantRate,
    ]

    static let baseline = H264Vector(
        "baseline",
        sps: "6742c00cd901419f9f011000000300100000030320f142a480",
        pps: "68cb83cb20",
        slices: [
            Slice("6588845f1088ab830217", bits: 22, bytes: 4),
            Slice("419b2025cbe1cc0123269b", bits: 26, bytes: 5),
        ]
    )
    static let cavlc = H264Vector(
        "CAVLC with weighted prediction",
        sps: "6764000cac56201419f9f011000003000100000300320f14298980",
        pps: "68c88e3cb22c",
        slices: [
            Slice("6588820015e4c500014f7939", bits: 35, bytes: 6),
            Slice("419a8826d57f90e6809e13028010409c0e400acffe7eaf3f489270", bits: 154, bytes: 21),
            Slice("219f2fb34a190972aeaf85d2a559", bits: 52, bytes: 8),
        ]
    )
    static let interlaced = H264Vector(
        "interlaced",
        sps: "67640015acd941433f260220000003002000000643e28532c0",
        pps: "68f928f2c8b0",
        slices: [
            Slice("6588820b02bff6f6737c0a6b", bits: 38, bytes: 6),
            Slice("419b045de96c944c771ae8b3801158", bits: 64, bytes: 9),
            Slice("419e6fdee5152c21ff884c3078d0ef", bits: 58, bytes: 9),
        ]
    )
    static let cabac = H264Vector(
        "CABAC with weighted prediction",
        sps: "6764000cacd981419f9f011000000300100000030320f14299a0",
        pps: "68e978f2c8b0",
        slices: [
            Slice("658884002bfffef6737c0a6b", bits: 34, bytes: 6),
            Slice("419a884da842105ac820440fc1081e804301e004440fc380144d7f40194da16528", bits: 204, bytes: 27),
            Slice("419eeb6494445c25ffb98c657e65c8", bits: 58, bytes: 9),
        ]
    )
    static let manyReferences = H264Vector(
        "emulation prevention within the header",
        sps: "67640015ac720441419f9f011000000300100000030320f162d846",
        pps: "68e8438f2c8b",
        slices: [
            Slice("65888100057ffef6737c0a6b", bits: 37, bytes: 6),
            Slice(
                "419ab5078102040a5ae96d6d6d6c873c043602202202186c043300000300050450efffd27f60c0f159",
                bits: 258,
                bytes: 35
            ),
            Slice("419e83447ca0821f843fae01c538a9c4", bits: 69, bytes: 10),
        ]
    )
    static let fullChroma = H264Vector(
        "4:4:4",
        sps: "67f4000c919b282833f1b808800000030080000019078a14cb",
        pps: "68ebe3c44844",
        slices: [
            Slice("658884017fd4576d6278ad", bits: 28, bytes: 5),
            Slice("419aa849a8416c994c144c21ff40f40955d8a1", bits: 90, bytes: 13),
            Slice("419e8645112c21ffecf99217738a", bits: 50, bytes: 8),
        ]
    )
    static let monochrome = H264Vector(
        "monochrome",
        sps: "6764000cf36505067e37016c800000030080000019078a14cb",
        pps: "68ebe3cb22c0",
        slices: [
            Slice("658884002bfffef5dbf32cae", bits: 34, bytes: 6),
            Slice("419ac74be10843c8780b6c05b31444f1ff6e19102d336b", bits: 126, bytes: 17),
            Slice("419e9c45153c21ffb252ab8fa3a7", bits: 50, bytes: 8),
        ]
    )
    static let severalSlices = H264Vector(
        "several slices",
        sps: "6764000cacd941419f9f011000000300100000030320f1429960",
        pps: "68ebe3cb22c0",
        slices: [
            Slice("65888402ffd1b76d6278ad", bits: 28, bytes: 5),
            Slice("410142688526a105b26530513052fff2db3515a5f9", bits: 108, bytes: 15),
            Slice("4101427fdd1444b04effde68de1fe2af", bits: 68, bytes: 10),
        ]
    )
    static let tenBit = H264Vector(
        "4:2:2 of 10 bits",
        sps: "677a000cb6cd941419f8dc0440000003004000000c83c50a6580",
        pps: "68ebe3cb22c0",
        slices: [
            Slice("658884017fd4576d7dda78", bits: 28, bytes: 5),
            Slice("4103c9a2134b64c0a2623fb82d7f601206", bits: 77, bytes: 11),
            Slice("4103c9e6345344c11fe595f6e35b02", bits: 64, bytes: 9),
        ]
    )
    static let tinySlices = H264Vector(
        "ids 3 at 30000/1001",
        sps: "6764000d22cd941419f9f01100000303e90000ea600f142996",
        pps: "68212be3cb22c0",
        slices: [
            Slice("6588204017d4576d6278ad", bits: 32, bytes: 5),
            Slice("4101346243d26a105b26530513087fe5f3c7354b36", bits: 108, bytes: 15),
            Slice("4101327229d14d130affb53736296004", bits: 68, bytes: 10),
        ]
    )
    static let cropped = H264Vector(
        "cropped, anamorphic, with colour",
        sps: "6764000cacd941419ea230e6e02020280000030008000003019078a14cb0",
        pps: "68ebe3cb22c0",
        slices: [
            Slice("65888403ffd1b76d6278ad", bits: 26, bytes: 5),
            Slice("419aea49a8416c994c144c2dff57f2f376b7ae", bits: 90, bytes: 13),
            Slice("419e8645112c21ffecee97669b30", bits: 50, bytes: 8),
        ]
    )
    static let constantRate = H264Vector(
        "constant rate",
        sps: "6764000dacd941419f9f01100000030010000003032602001e840007a13920c03e28532c",
        pps: "68ebecb22c",
        slices: [
            Slice("6588840011ffc6aa2b986845", bits: 36, bytes: 6),
            Slice("419a1a49a8416c994c144c37fffce4a1bb804a", bits: 90, bytes: 13),
            Slice("419e8645112c6ff4f62f96bb75", bits: 48, bytes: 7),
        ]
    )
}

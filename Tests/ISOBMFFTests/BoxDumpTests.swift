import NIOCore
import Testing

@testable import ISOBMFF
@testable import Inspection

@Suite struct BoxDumpTests {
    @Test func unknownBoxesAreShownWhole() {
        #expect(BoxDump(ByteBuffer(hex: "0000000a 61626364 0102")).description == "abcd size=10 content=0102\n")
    }

    @Test func bytesBehindKnownFieldsAreShown() {
        #expect(
            BoxDump(ByteBuffer(hex: "0000000d 66726d61 61766331 ff")).description
                == "frma size=13 data_format=avc1 rest=ff\n"
        )
    }

    @Test func brokenBoxesAreSaidToBeSoAndTheRestGoesOn() {
        let hex = "00000010 6d6f6f66 000000ff 74726166 0000000a 6d666864 0000 0000000c 66726d61 61766331"
        #expect(
            BoxDump(ByteBuffer(hex: hex)).description == """
                moof size=16
                  ! the box at byte 8 has an impossible size
                mfhd size=10
                  ! a field at byte 24 goes beyond its box
                frma size=12 data_format=avc1

                """
        )
    }

    @Test func bottomlessNestingEnds() {
        let depth = 20_000
        var bytes = ByteBuffer()
        for level in 0..<depth {
            bytes.writeInteger(UInt32(8 * (depth - level)))
            bytes.writeString("moov")
        }
        let lines = BoxDump(bytes).description.split(separator: "\n")
        #expect(lines.count == 18)
        #expect(lines.last?.hasSuffix("! too deep") == true)
    }
}

import MediaCore
import Testing

@testable import Playlists

@Suite struct AttributeListTests {
    @Test func everyKindOfValueHasItsNotation() {
        var list = AttributeList()
        list.append("QUOTED", quoted: "a,b=c")
        list.append("ENUMERATED", enumerated: "YES")
        list.append("DECIMAL", decimal: 1_300_000)
        list.append("RATE", decimal: Ratio(30_000, 1001))
        list.append("HEX", hexadecimal: Bytes16(high: 0xABCD, low: 0x0F))
        list.append("SIZE", resolution: Resolution(width: 1920, height: 1080))
        list.append("NOTHING", quoted: nil)
        #expect(
            list.description == """
                QUOTED="a,b=c",ENUMERATED=YES,DECIMAL=1300000,RATE=29.970,\
                HEX=0x000000000000abcd000000000000000f,SIZE=1920x1080
                """
        )
        #expect(AttributeList(parsing: Substring(list.description)) == list)
    }

    @Test(arguments: [
        ("say \"hi\"", "say 'hi'"), ("a\r\nb", "a  b"), ("a\nURI=\"x\"", "a URI='x'"), ("\"", "'"), ("é", "é"),
    ])
    func aQuotedStringNeverHoldsQuotesOrLineBreaks(value: String, text: String) {
        var list = AttributeList()
        list.append("NAME", quoted: value)
        #expect(list.description == "NAME=\"\(text)\"")
    }

    @Test(arguments: [
        (Ratio(25, 1), "25.000"), (Ratio(60_000, 1001), "59.940"), (Ratio(24_000, 1001), "23.976"),
        (Ratio(50, 1), "50.000"), (Ratio(1, 2000), "0.001"),
    ])
    func frameRatesHaveThreeDecimalsRoundedHalfUp(rate: Ratio, text: String) {
        var list = AttributeList()
        list.append("RATE", decimal: rate)
        #expect(list.description == "RATE=\(text)")
    }

    @Test(arguments: [
        "", "A", "A=", "=1", "A=1,", ",A=1", "A=1, B=2", "a=1", "A=\"x", "A=x\"", "A=\"x\"y", "A=1,A=2", "A =1", "A=1 ",
    ])
    func aListThatBreaksTheGrammarIsRefused(text: String) {
        #expect(AttributeList(parsing: text[...]) == nil)
    }

    @Test func valuesOfAnotherKindAreNotThere() throws {
        let list = try #require(AttributeList(parsing: "Q=\"1\",E=1,H=0x12,S=1920x,N=-5,R=1.2.3,EMPTY=\"\""))
        #expect(list.enumerated("Q") == nil)
        #expect(list.quoted("E") == nil)
        #expect(list.decimalInteger("E") == 1)
        #expect(list.decimalInteger("N") == nil)
        #expect(list.hexadecimal("H") == nil)
        #expect(list.resolution("S") == nil)
        #expect(list.decimalRatio("R") == nil)
        #expect(list.quoted("EMPTY") == "")
    }

    /// A player takes `{$name}` for a variable, and refuses a playlist that does not define it.
    @Test(arguments: [
        ("Price {$5} today", "Price { $5} today"), ("{{$a}", "{{ $a}"), ("{ $a}", "{ $a}"), ("$a {b}", "$a {b}"),
        ("a\u{2028}b\u{0}c\u{85}d", "a b c d"),
    ])
    func onlyKeysReferToVariables(value: String, text: String) {
        var list = AttributeList()
        list.append("NAME", quoted: value)
        list.append("URI", quoted: "{$base}/key", isReference: true)
        #expect(list.description == "NAME=\"\(text)\",URI=\"{$base}/key\"")
        var range = DateRange(id: value, start: .zero)
        range.custom = [.init(name: "X-A", value: .string(value))]
        #expect(range.text.contains("ID=\"\(text)\"") && range.text.hasSuffix("X-A=\"\(text)\""))
    }

    @Test(arguments: [
        ("a", true), ("é {a} $b", true), ("", false), ("{$a}", false), ("{$", false), ("\"", false), ("a\nb", false),
        ("\u{7F}", false), ("\u{85}", false), ("\u{2029}", false), ("\t", false),
    ])
    func whatCanStandInQuotesIsTold(text: String, isQuotable: Bool) {
        #expect(text.isQuotable == isQuotable)
    }
}

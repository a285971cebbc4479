/// A track's language as `mdhd` and `elng` carry it (ISO/IEC 14496-12 § 8.4.2, 8.4.6).
package struct TrackLanguage: Hashable, Sendable {
    /// Three letters of ISO 639-2/T; `und` if the language is undetermined.
    package let code: String
    /// The whole BCP 47 tag, if it says more than the three letters.
    let extendedTag: String?
    /// The letters of the code, five bits each, `a` being 1.
    var packed: UInt16 { code.utf8.reduce(0) { $0 << 5 | UInt16($1 & 0x1F) } }

    /// Reads a tag.
    ///
    /// - Parameter tag: A BCP 47 tag, as `en`, `ast` or `pt-BR`; nil or unreadable is undetermined.
    package init(tag: String?) {
        guard let tag, Self.isWellFormed(tag) else {
            self.init(code: Self.undetermined, extendedTag: nil)
            return
        }
        let primary = tag.prefix { $0 != "-" }.lowercased()
        let code = Self.threeLetterCode(primary)
        let isWhole = code != nil && primary.utf8.count == tag.utf8.count
        self.init(code: code ?? Self.undetermined, extendedTag: isWhole ? nil : tag)
    }

    private init(code: String, extendedTag: String?) {
        self.code = code
        self.extendedTag = extendedTag
    }

    private static let undetermined = "und"

    /// Returns true if `elng` can hold the tag: subtags of one to eight letters and digits, joined by hyphens.
    private static func isWellFormed(_ tag: String) -> Bool {
        tag.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false).allSatisfy { subtag in
            (1...8).contains(subtag.count)
                && subtag.allSatisfy { isLowerCaseLetter($0 | 0x20) || isDigit($0) }
        }
    }

    private static func isLowerCaseLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    /// The code of ISO 639-2/T for a primary subtag in lower case; nil if there is none.
    private static func threeLetterCode(_ primary: String) -> String? {
        guard primary.utf8.allSatisfy(isLowerCaseLetter) else { return nil }
        switch primary.utf8.count {
        // BCP 47 takes three letters from ISO 639-2/T and 639-3 alike.
        case 3: return primary
        case 2: return codes.split(separator: " ").first { $0.hasPrefix(primary) }.map { String($0.dropFirst(2)) }
        default: return nil
        }
    }

    /// ISO 639-1, two letters, each followed by its code in ISO 639-2/T, three.
    private static let codes = """
        aaaar ababk aeave afafr akaka amamh anarg arara asasm avava ayaym azaze babak bebel bgbul bibis bmbam bnben \
        bobod brbre bsbos cacat ceche chcha cocos crcre csces cuchu cvchv cycym dadan dedeu dvdiv dzdzo eeewe elell \
        eneng eoepo esspa etest eueus fafas ffful fifin fjfij fofao frfra fyfry gagle gdgla glglg gngrn guguj gvglv \
        hahau heheb hihin hohmo hrhrv hthat huhun hyhye hzher iaina idind ieile igibo iiiii ikipk ioido isisl itita \
        iuiku jajpn jvjav kakat kgkon kikik kjkua kkkaz klkal kmkhm knkan kokor krkau kskas kukur kvkom kwcor kykir \
        lalat lbltz lglug lilim lnlin lolao ltlit lulub lvlav mgmlg mhmah mimri mkmkd mlmal mnmon mrmar msmsa mtmlt \
        mymya nanau nbnob ndnde nenep ngndo nlnld nnnno nonor nrnbl nvnav nynya ococi ojoji omorm orori ososs papan \
        pipli plpol pspus ptpor quque rmroh rnrun roron rurus rwkin sasan scsrd sdsnd sesme sgsag sisin skslk slslv \
        smsmo snsna sosom sqsqi srsrp ssssw stsot susun svswe swswa tatam tetel tgtgk ththa titir tktuk tntsn toton \
        trtur tstso tttat twtwi tytah uguig ukukr ururd uzuzb veven vivie vovol wawln wowol xhxho yiyid yoyor zazha \
        zhzho zuzul
        """
}

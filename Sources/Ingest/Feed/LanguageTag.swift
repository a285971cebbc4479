/// Turns a container's language code into the tag that playlists and files carry.
enum LanguageTag {
    /// The BCP 47 tag for a language as a container names it.
    ///
    /// RFC 5646 § 2.2.1: if a language has a two-letter code, that is its tag. Of several languages the first counts;
    /// "undetermined" is no language.
    ///
    /// - Parameter code: A code of ISO 639-2, bibliographic or terminological, or a tag already; case does not matter.
    /// - Returns: The tag, or nil if there is no language in `code`.
    static func bcp47(_ code: String) -> String? {
        let first = code.prefix { $0 != "," }
        guard let primary = first.split(separator: "-", omittingEmptySubsequences: false).first?.lowercased(),
            2...3 ~= primary.utf8.count, primary.utf8.allSatisfy({ UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 }),
            primary != "und",
            first.utf8.allSatisfy({
                $0 == UInt8(ascii: "-") || ($0 < 0x80 && Character(UnicodeScalar($0)).isWordCharacter)
            })
        else { return nil }
        return (twoLetterCodes[primary] ?? primary) + first.dropFirst(primary.utf8.count)
    }

    /// Returns tesseract's name of a language, its terminological code of ISO 639-2; English if there is none.
    static func tesseract(_ tag: String?) -> String {
        guard let primary = tag?.prefix(while: { $0 != "-" }).lowercased() else { return "eng" }
        let codes = twoLetterCodes.filter { $0.value == primary }.map(\.key)
        if codes.isEmpty { return primary.utf8.count == 3 ? primary : "eng" }
        // The bibliographic code abbreviates the English name.
        return codes.first { !bibliographicCodes.contains($0) } ?? "eng"
    }

    /// The bibliographic codes of ISO 639-2 that have a terminological one beside them.
    private static let bibliographicCodes: Set<String> = [
        "alb", "arm", "baq", "bur", "chi", "cze", "dut", "fre", "geo", "ger", "gre", "ice", "mac", "mao", "may", "per",
        "rum",
        "slo", "tib", "wel",
    ]

    /// ISO 639-2 codes, both kinds, with their ISO 639-1 equivalents.
    private static let twoLetterCodes: [String: String] = {
        let words = table.split(whereSeparator: \.isWhitespace).map(String.init)
        let pairs = stride(from: 0, to: words.count - 1, by: 2).map { (words[$0], words[$0 + 1]) }
        return Dictionary(pairs) { first, _ in first }
    }()

    private static let table = """
        aar aa  abk ab  afr af  aka ak  alb sq  amh am  ara ar  arg an  arm hy  asm as  ava av  ave ae  aym ay  aze az
        bak ba  bam bm  baq eu  bel be  ben bn  bis bi  bod bo  bos bs  bre br  bul bg  bur my  cat ca  ces cs  cha ch
        che ce  chi zh  chu cu  chv cv  cor kw  cos co  cre cr  cym cy  cze cs  dan da  deu de  div dv  dut nl  dzo dz
        ell el  eng en  epo eo  est et  eus eu  ewe ee  fao fo  fas fa  fij fj  fin fi  fra fr  fre fr  fry fy  ful ff
        geo ka  ger de  gla gd  gle ga  glg gl  glv gv  gre el  grn gn  guj gu  hat ht  hau ha  heb he  her hz  hin hi
        hmo ho  hrv hr  hun hu  hye hy  ibo ig  ice is  ido io  iii ii  iku iu  ile ie  ina ia  ind id  ipk ik  isl is
        ita it  jav jv  jpn ja  kal kl  kan kn  kas ks  kat ka  kau kr  kaz kk  khm km  kik ki  kin rw  kir ky  kom kv
        kon kg  kor ko  kua kj  kur ku  lao lo  lat la  lav lv  lim li  lin ln  lit lt  ltz lb  lub lu  lug lg  mac mk
        mah mh  mal ml  mao mi  mar mr  may ms  mkd mk  mlg mg  mlt mt  mon mn  mri mi  msa ms  mya my  nau na  nav nv
        nbl nr  nde nd  ndo ng  nep ne  nld nl  nno nn  nob nb  nor no  nya ny  oci oc  oji oj  ori or  orm om  oss os
        pan pa  per fa  pli pi  pol pl  por pt  pus ps  que qu  roh rm  ron ro  rum ro  run rn  rus ru  sag sg  san sa
        sin si  slk sk  slo sk  slv sl  sme se  smo sm  sna sn  snd sd  som so  sot st  spa es  sqi sq  srd sc  srp sr
        ssw ss  sun su  swa sw  swe sv  tah ty  tam ta  tat tt  tel te  tgk tg  tgl tl  tha th  tib bo  tir ti  ton to
        tsn tn  tso ts  tuk tk  tur tr  twi tw  uig ug  ukr uk  urd ur  uzb uz  ven ve  vie vi  vol vo  wel cy  wln wa
        wol wo  xho xh  yid yi  yor yo  zha za  zho zh  zul zu
        """
}

extension Character {
    fileprivate var isWordCharacter: Bool { isLetter || isNumber }
}

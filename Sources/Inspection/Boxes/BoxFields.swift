import MediaCore

/// The fields of one box by the names that the specifications give them.
struct BoxFields {
    private(set) var values: [(name: String, value: String)] = []
    /// Entries of a table.
    var rows: [[(name: String, value: String)]] = []
    /// True if boxes are where the cursor stands.
    private(set) var areFollowedByBoxes = false
    var cursor: ByteCursor
    private(set) var version: UInt8 = 0
    private(set) var flags: UInt32 = 0
    /// Bytes of the IV that each entry of `senc` begins with.
    let vectorSize: Int

    init(_ cursor: ByteCursor, vectorSize: Int = 0) {
        self.cursor = cursor
        self.vectorSize = vectorSize
    }

    /// Reads the fields of a box of a type; all bytes of an unknown box.
    ///
    /// - Parameters:
    ///   - type: The type of the box.
    ///   - parent: The type of the box that holds it: in `stsd`, `alac` is a sample entry.
    /// - Throws: `MalformedBoxError` if a field goes beyond the box.
    mutating func read(_ type: FourCC, in parent: FourCC?) throws(MalformedBoxError) {
        switch type {
        case "moov", "trak", "mdia", "minf", "dinf", "stbl", "mvex", "edts", "sinf", "schi", "moof", "traf", "udta":
            areFollowedByBoxes = true
        case "mdat", "free", "skip": return
        case "ftyp", "styp": try readBrands()
        case "dref", "stsd":
            try readVersionAndFlags()
            try readInteger("entry_count", UInt32.self)
            areFollowedByBoxes = true
        case "avc1", "avc3", "hvc1", "hev1", "dvh1", "dvhe", "av01", "dav1", "encv": try readVisualSampleEntry()
        case "mp4a", "ac-3", "ec-3", "Opus", "fLaC", "enca": try readAudioSampleEntry()
        case "alac" where parent == "stsd": try readAudioSampleEntry()
        case "hvcC", "av1C": try readVideoConfiguration(type)
        case "dac3", "dec3", "dOps", "dfLa", "alac": try readAudioConfiguration(type)
        case "mdcv", "clli", "dvcC", "dvvC": try readDynamicRange(type)
        case "mvhd", "tkhd", "mdhd", "hdlr", "elng": try readHeader(type)
        case "esds", "colr", "pasp", "btrt": try readDescription(type)
        case "frma", "schm", "tenc", "pssh": try readProtection(type)
        case "trex", "mfhd", "tfhd", "tfdt", "trun": try readFragment(type)
        case "saiz", "saio", "senc": try readAuxiliary(type)
        case "emsg": try readEventMessage()
        case "vmhd", "smhd", "url ", "stts", "stsc", "stsz", "stco":
            try readVersionAndFlags()
            try readRest("fields")
        default: try readRest("content")
        }
        if !areFollowedByBoxes, cursor.remaining > 0 { try readRest("rest") }
    }

    private mutating func readBrands() throws(MalformedBoxError) {
        try readFourCC("major_brand")
        try readInteger("minor_version", UInt32.self)
        var brands: [String] = []
        while cursor.remaining > 0 { brands.append("\(try cursor.readFourCC())") }
        add("compatible_brands", brands.joined(separator: ","))
    }

    private mutating func readVisualSampleEntry() throws(MalformedBoxError) {
        try cursor.skip(6)
        try readInteger("data_reference_index", UInt16.self)
        try cursor.skip(16)
        try readInteger("width", UInt16.self)
        try readInteger("height", UInt16.self)
        try cursor.skip(50)
        areFollowedByBoxes = true
    }

    private mutating func readAudioSampleEntry() throws(MalformedBoxError) {
        try cursor.skip(6)
        try readInteger("data_reference_index", UInt16.self)
        try cursor.skip(8)
        try readInteger("channelcount", UInt16.self)
        try readInteger("samplesize", UInt16.self)
        try cursor.skip(4)
        try readFixedPoint("samplerate")
        areFollowedByBoxes = true
    }

    private mutating func readHeader(_ type: FourCC) throws(MalformedBoxError) {
        try readVersionAndFlags()
        switch type {
        case "mvhd", "mdhd":
            try readTime("creation_time")
            try readTime("modification_time")
            try readInteger("timescale", UInt32.self)
            try readTime("duration")
            if type == "mvhd" {
                try cursor.skip(76)
                try readInteger("next_track_ID", UInt32.self)
            } else {
                try readHex("language", 2)
                try cursor.skip(2)
            }
        case "tkhd":
            try readTime("creation_time")
            try readTime("modification_time")
            try readInteger("track_ID", UInt32.self)
            try cursor.skip(4)
            try readTime("duration")
            try cursor.skip(12)
            try readHex("volume", 2)
            try cursor.skip(38)
            try readFixedPoint("width")
            try readFixedPoint("height")
        case "hdlr":
            try cursor.skip(4)
            try readFourCC("handler_type")
            try cursor.skip(12)
            try readText("name")
        default: try readText("extended_language")
        }
    }

    private mutating func readDescription(_ type: FourCC) throws(MalformedBoxError) {
        switch type {
        case "colr":
            try readFourCC("colour_type")
            guard cursor.remaining == 7 else { return }
            try readInteger("colour_primaries", UInt16.self)
            try readInteger("transfer_characteristics", UInt16.self)
            try readInteger("matrix_coefficients", UInt16.self)
            try readHex("full_range_flag", 1)
        case "pasp":
            try readInteger("hSpacing", UInt32.self)
            try readInteger("vSpacing", UInt32.self)
        case "btrt":
            try readInteger("bufferSizeDB", UInt32.self)
            try readInteger("maxBitrate", UInt32.self)
            try readInteger("avgBitrate", UInt32.self)
        default:
            try readVersionAndFlags()
            try readRest("descriptors")
        }
    }

    private mutating func readProtection(_ type: FourCC) throws(MalformedBoxError) {
        if type != "frma" { try readVersionAndFlags() }
        switch type {
        case "frma": try readFourCC("data_format")
        case "schm":
            try readFourCC("scheme_type")
            try readHex("scheme_version", 4)
        case "tenc":
            try cursor.skip(1)
            try readHex("pattern", 1)
            try readInteger("default_isProtected", UInt8.self)
            let vectorSize = try readInteger("default_Per_Sample_IV_Size", UInt8.self)
            try readHex("default_KID", 16)
            guard vectorSize == 0 else { return }
            try readHex("default_constant_IV", Int(try cursor.read(UInt8.self)))
        default:
            try readHex("SystemID", 16)
            if version > 0 {
                for _ in 0..<(try cursor.readCount(entriesOf: 16)) { try readHex("KID", 16) }
            }
            try readHex("Data", Int(try cursor.read(UInt32.self)))
        }
    }
}

extension BoxFields {
    mutating func add(_ name: String, _ value: String) {
        values.append((name, value))
    }

    mutating func readVersionAndFlags() throws(MalformedBoxError) {
        (version, flags) = try cursor.readVersionAndFlags()
        add("version", "\(version)")
        add("flags", String(flags, radix: 16))
    }

    @discardableResult
    mutating func readInteger<T: FixedWidthInteger>(
        _ name: String,
        _ type: T.Type
    ) throws(MalformedBoxError) -> T {
        let value = try cursor.read(type)
        add(name, "\(value)")
        return value
    }

    /// A field of 64 bits in version 1, of 32 in version 0.
    mutating func readTime(_ name: String) throws(MalformedBoxError) {
        if version == 1 { try readInteger(name, UInt64.self) } else { try readInteger(name, UInt32.self) }
    }

    /// Fields of some bits each, the first the highest.
    ///
    /// - Parameter fields: The fields, of whole bytes together, eight at most.
    /// - Returns: The values.
    /// - Throws: `MalformedBoxError` if they go beyond the box.
    @discardableResult
    mutating func readBits(_ fields: (name: String, width: Int)...) throws(MalformedBoxError) -> [UInt64] {
        var left = fields.reduce(0) { $0 + $1.width }
        let word = try cursor.readBytes(left / 8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return fields.map { name, width in
            left -= width
            let value = word >> UInt64(left) & ((1 << UInt64(width)) - 1)
            add(name, "\(value)")
            return value
        }
    }

    mutating func readFixedPoint(_ name: String) throws(MalformedBoxError) {
        add(name, "\(Double(try cursor.read(UInt32.self)) / 65536)")
    }

    mutating func readFourCC(_ name: String) throws(MalformedBoxError) {
        add(name, "\(try cursor.readFourCC())")
    }

    mutating func readHex(_ name: String, _ count: Int) throws(MalformedBoxError) {
        add(name, try cursor.readBytes(count).hex)
    }

    /// A string that ends with a zero byte, and anything behind it.
    mutating func readText(_ name: String) throws(MalformedBoxError) {
        let bytes = try cursor.readRest()
        add(name, String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self))
        if bytes.firstIndex(of: 0) != bytes.indices.last { add("unterminated", bytes.hex) }
    }

    mutating func readRest(_ name: String) throws(MalformedBoxError) {
        add(name, try cursor.readRest().hex)
    }
}

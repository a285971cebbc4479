import MediaCore

extension BoxFields {
    /// Reads the fields of a box of movie fragments with the times and places of samples.
    mutating func readFragment(_ type: FourCC) throws(MalformedBoxError) {
        try readVersionAndFlags()
        switch type {
        case "mfhd": try readInteger("sequence_number", UInt32.self)
        case "tfdt": try readTime("baseMediaDecodeTime")
        case "tfhd":
            try readInteger("track_ID", UInt32.self)
            if flags & 0x01 != 0 { try readInteger("base_data_offset", UInt64.self) }
            if flags & 0x02 != 0 { try readInteger("sample_description_index", UInt32.self) }
            if flags & 0x08 != 0 { try readInteger("default_sample_duration", UInt32.self) }
            if flags & 0x10 != 0 { try readInteger("default_sample_size", UInt32.self) }
            if flags & 0x20 != 0 { try readHex("default_sample_flags", 4) }
        case "trex":
            try readInteger("track_ID", UInt32.self)
            try readInteger("default_sample_description_index", UInt32.self)
            try readInteger("default_sample_duration", UInt32.self)
            try readInteger("default_sample_size", UInt32.self)
            try readHex("default_sample_flags", 4)
        default: try readRun()
        }
    }

    /// Reads an event message (ISO/IEC 23009-1 § 5.10.3.3); only version 1.
    mutating func readEventMessage() throws(MalformedBoxError) {
        try readVersionAndFlags()
        guard version == 1 else { return }
        try readInteger("timescale", UInt32.self)
        try readInteger("presentation_time", UInt64.self)
        try readInteger("event_duration", UInt32.self)
        try readInteger("id", UInt32.self)
        for name in ["scheme_id_uri", "value"] {
            var text: [UInt8] = []
            while true {
                let byte = try cursor.read(UInt8.self)
                if byte == 0 { break }
                text.append(byte)
            }
            add(name, String(decoding: text, as: UTF8.self))
        }
        try readRest("message_data")
    }

    private mutating func readRun() throws(MalformedBoxError) {
        let count = try readInteger("sample_count", UInt32.self)
        if flags & 0x01 != 0 { try readInteger("data_offset", Int32.self) }
        if flags & 0x04 != 0 { try readHex("first_sample_flags", 4) }
        guard flags & 0xF00 != 0 else { return }
        for _ in 0..<count {
            var row: [(name: String, value: String)] = []
            if flags & 0x100 != 0 { row.append(("duration", "\(try cursor.read(UInt32.self))")) }
            if flags & 0x200 != 0 { row.append(("size", "\(try cursor.read(UInt32.self))")) }
            if flags & 0x400 != 0 { row.append(("flags", try cursor.readBytes(4).hex)) }
            if flags & 0x800 != 0 { row.append(("composition_time_offset", "\(try cursor.read(Int32.self))")) }
            rows.append(row)
        }
    }

    /// Reads the fields of a box of movie fragments with the encryption of samples.
    mutating func readAuxiliary(_ type: FourCC) throws(MalformedBoxError) {
        try readVersionAndFlags()
        if type != "senc", flags & 1 != 0 { try readHex("aux_info_type", 8) }
        switch type {
        case "saiz":
            let size = try readInteger("default_sample_info_size", UInt8.self)
            try readInteger("sample_count", UInt32.self)
            if size == 0 { try readRest("sample_info_size") }
        case "saio":
            try readInteger("entry_count", UInt32.self)
            while cursor.remaining > 0 { try readTime("offset") }
        default:
            let count = try readInteger("sample_count", UInt32.self)
            guard vectorSize > 0 || flags & 0x02 != 0 else { return }
            for _ in 0..<count {
                var row: [(name: String, value: String)] = []
                if vectorSize > 0 { row.append(("InitializationVector", try cursor.readBytes(vectorSize).hex)) }
                let subsamples = flags & 0x02 != 0 ? try cursor.read(UInt16.self) : 0
                for _ in 0..<subsamples {
                    row.append(("clear", "\(try cursor.read(UInt16.self))"))
                    row.append(("protected", "\(try cursor.read(UInt32.self))"))
                }
                rows.append(row)
            }
        }
    }
}

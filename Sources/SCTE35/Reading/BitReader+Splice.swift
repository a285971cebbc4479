import Codecs

/// The parts that commands are made of.
extension BitReader {
    /// A time or a duration of 33 bits, in ticks of 90 kHz.
    mutating func readTicks() throws(CodecError) -> UInt64 {
        let high = UInt64(try read(1))
        return high << 32 | UInt64(try read(32))
    }

    mutating func readBytes(_ count: Int) throws(CodecError) -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<count { bytes.append(UInt8(try read(8))) }
        return bytes
    }

    /// splice_time (§ 9.8.1): nil if none is said.
    mutating func readSpliceTime() throws(CodecError) -> UInt64? {
        guard try readFlag() else {
            try skip(7)
            return nil
        }
        try skip(6)
        return try readTicks()
    }

    /// break_duration (§ 9.8.2).
    private mutating func readBreakDuration() throws(CodecError) -> BreakDuration {
        let returnsByItself = try readFlag()
        try skip(6)
        return BreakDuration(ticks: try readTicks(), returnsByItself: returnsByItself)
    }

    /// splice_insert (§ 9.7.3.1).
    mutating func readInsert() throws(CodecError) -> SpliceInsert {
        let eventID = try read(32)
        let isCancelled = try readFlag()
        try skip(7)
        if isCancelled { return SpliceInsert(eventID: eventID, details: nil) }
        let (isOut, isProgram) = (try readFlag(), try readFlag())
        let (hasDuration, isImmediate) = (try readFlag(), try readFlag())
        let isCompliant = try !readFlag()
        try skip(3)
        let place: SpliceInsert.Place
        switch (isProgram, isImmediate) {
        case (true, true): place = .immediately
        case (true, false): place = .program(try readSpliceTime())
        case (false, true): place = .componentsImmediately(try readBytes(Int(try read(8))))
        case (false, false):
            var components: [SpliceInsert.Component] = []
            for _ in 0..<(try read(8)) {
                components.append(SpliceInsert.Component(tag: UInt8(try read(8)), time: try readSpliceTime()))
            }
            place = .components(components)
        }
        var details = SpliceInsert.Details(isOut: isOut, place: place)
        if hasDuration { details.duration = try readBreakDuration() }
        details.isCompliant = isCompliant
        details.programID = UInt16(try read(16))
        details.avail = UInt8(try read(8))
        details.availsExpected = UInt8(try read(8))
        return SpliceInsert(eventID: eventID, details: details)
    }

    /// splice_schedule (§ 9.7.2.1).
    mutating func readSchedule() throws(CodecError) -> [ScheduledSplice] {
        var splices: [ScheduledSplice] = []
        for _ in 0..<(try read(8)) {
            let eventID = try read(32)
            let isCancelled = try readFlag()
            let isCompliant = try !readFlag()
            try skip(6)
            var splice = ScheduledSplice(eventID: eventID, isCompliant: isCompliant)
            if !isCancelled { splice.details = try readScheduledDetails() }
            splices.append(splice)
        }
        return splices
    }

    private mutating func readScheduledDetails() throws(CodecError) -> ScheduledSplice.Details {
        let (isOut, isProgram, hasDuration) = (try readFlag(), try readFlag(), try readFlag())
        try skip(5)
        var place = ScheduledSplice.Place.components([])
        if isProgram {
            place = .program(try read(32))
        } else {
            var components: [ScheduledSplice.Component] = []
            for _ in 0..<(try read(8)) {
                components.append(ScheduledSplice.Component(tag: UInt8(try read(8)), time: try read(32)))
            }
            place = .components(components)
        }
        return ScheduledSplice.Details(
            isOut: isOut,
            place: place,
            duration: hasDuration ? try readBreakDuration() : nil,
            programID: UInt16(try read(16)),
            avail: UInt8(try read(8)),
            availsExpected: UInt8(try read(8))
        )
    }
}

import Codecs

extension SpliceCommand {
    /// The bytes that follow splice_command_type (ANSI/SCTE 35 § 9.7).
    var bytes: [UInt8] {
        var writer = BitWriter()
        switch self {
        case .null, .bandwidthReservation: break
        case .schedule(let splices): writer.write(splices)
        case .insert(let insert): writer.write(insert)
        case .timeSignal(let time): writer.write(spliceTime: time)
        case .privateCommand(let identifier, let bytes):
            writer.write(identifier, bits: 32)
            writer.write(bytes: bytes)
        case .other(_, let bytes): writer.write(bytes: bytes)
        }
        return writer.bytes
    }
}

extension BitWriter {
    fileprivate mutating func write(spliceTime time: UInt64?) {
        write(time != nil)
        writeReserved(time == nil ? 7 : 6)
        if let time { write(ticks: time) }
    }

    private mutating func write(_ duration: BreakDuration) {
        write(duration.returnsByItself)
        writeReserved(6)
        write(ticks: duration.ticks)
    }

    fileprivate mutating func write(_ insert: SpliceInsert) {
        write(insert.eventID, bits: 32)
        write(insert.details == nil)
        writeReserved(7)
        guard let details = insert.details else { return }
        write(details.isOut)
        switch details.place {
        case .immediately, .program: write(true)
        case .components, .componentsImmediately: write(false)
        }
        write(details.duration != nil)
        switch details.place {
        case .immediately, .componentsImmediately: write(true)
        case .program, .components: write(false)
        }
        // § 9.7.3.1: zero is what complies.
        write(!details.isCompliant)
        writeReserved(3)
        switch details.place {
        case .immediately: break
        case .program(let time): write(spliceTime: time)
        case .components(let components):
            write(components.count, bits: 8)
            for component in components {
                write(component.tag, bits: 8)
                write(spliceTime: component.time)
            }
        case .componentsImmediately(let tags):
            write(tags.count, bits: 8)
            write(bytes: tags)
        }
        if let duration = details.duration { write(duration) }
        write(details.programID, bits: 16)
        write(details.avail, bits: 8)
        write(details.availsExpected, bits: 8)
    }

    fileprivate mutating func write(_ splices: [ScheduledSplice]) {
        write(splices.count, bits: 8)
        for splice in splices {
            write(splice.eventID, bits: 32)
            write(splice.details == nil)
            write(!splice.isCompliant)
            writeReserved(6)
            guard let details = splice.details else { continue }
            write(details)
        }
    }

    private mutating func write(_ details: ScheduledSplice.Details) {
        write(details.isOut)
        if case .program = details.place { write(true) } else { write(false) }
        write(details.duration != nil)
        writeReserved(5)
        switch details.place {
        case .program(let time): write(time, bits: 32)
        case .components(let components):
            write(components.count, bits: 8)
            for component in components {
                write(component.tag, bits: 8)
                write(component.time, bits: 32)
            }
        }
        if let duration = details.duration { write(duration) }
        write(details.programID, bits: 16)
        write(details.avail, bits: 8)
        write(details.availsExpected, bits: 8)
    }
}

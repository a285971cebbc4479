@testable import SCTE35

/// Sections of every command, descriptor and flag.
extension SpliceInfoSection {
    static func random(_ generator: inout some RandomNumberGenerator) -> SpliceInfoSection {
        var section = SpliceInfoSection(
            SpliceCommand.random(&generator),
            (0..<Int.random(in: 0..<4, using: &generator)).map { _ in SpliceDescriptor.random(&generator) },
            adjustment: ticks(&generator)
        )
        section.accessPointType = UInt8.random(in: 0..<4, using: &generator)
        section.tier = UInt16.random(in: 0...0xFFF, using: &generator)
        section.controlWord = UInt8.random(in: 0...255, using: &generator)
        return section
    }

    fileprivate static func ticks(_ generator: inout some RandomNumberGenerator) -> UInt64 {
        UInt64.random(in: 0..<1 << 33, using: &generator)
    }
}

private func byte(_ generator: inout some RandomNumberGenerator) -> UInt8 {
    UInt8.random(in: 0...255, using: &generator)
}

private func someBytes(_ most: Int, _ generator: inout some RandomNumberGenerator) -> [UInt8] {
    (0..<Int.random(in: 0...most, using: &generator)).map { _ in byte(&generator) }
}

private func anIdentifier(_ generator: inout some RandomNumberGenerator) -> UInt32 {
    UInt32.random(in: 0...UInt32.max, using: &generator)
}

extension BreakDuration {
    fileprivate static func random(_ generator: inout some RandomNumberGenerator) -> BreakDuration? {
        guard Bool.random(using: &generator) else { return nil }
        let ticks = SpliceInfoSection.ticks(&generator)
        return BreakDuration(ticks: ticks, returnsByItself: Bool.random(using: &generator))
    }
}

extension SpliceCommand {
    fileprivate static func random(_ generator: inout some RandomNumberGenerator) -> SpliceCommand {
        switch Int.random(in: 0..<7, using: &generator) {
        case 0: .null
        case 1: .schedule((0..<Int.random(in: 0..<4, using: &generator)).map { _ in .random(&generator) })
        case 2: .insert(.random(&generator))
        case 3: .timeSignal(Bool.random(using: &generator) ? SpliceInfoSection.ticks(&generator) : nil)
        case 4: .bandwidthReservation
        case 5: .privateCommand(identifier: anIdentifier(&generator), bytes: someBytes(30, &generator))
        default: .other(type: 0x33, bytes: someBytes(30, &generator))
        }
    }
}

extension ScheduledSplice {
    fileprivate static func random(_ generator: inout some RandomNumberGenerator) -> ScheduledSplice {
        var splice = ScheduledSplice(eventID: anIdentifier(&generator), isCompliant: Bool.random(using: &generator))
        guard Int.random(in: 0..<4, using: &generator) > 0 else { return splice }
        var place = Place.program(anIdentifier(&generator))
        if Bool.random(using: &generator) {
            place = .components([Component(tag: byte(&generator), time: anIdentifier(&generator))])
        }
        splice.details = Details(
            isOut: Bool.random(using: &generator),
            place: place,
            duration: .random(&generator),
            programID: UInt16.random(in: 0...UInt16.max, using: &generator),
            avail: byte(&generator),
            availsExpected: byte(&generator)
        )
        return splice
    }
}

extension SpliceInsert {
    fileprivate static func random(_ generator: inout some RandomNumberGenerator) -> SpliceInsert {
        var insert = SpliceInsert(eventID: anIdentifier(&generator), details: nil)
        guard Int.random(in: 0..<4, using: &generator) > 0 else { return insert }
        let time = Bool.random(using: &generator) ? SpliceInfoSection.ticks(&generator) : nil
        let place: Place =
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: .immediately
            case 1: .program(time)
            case 2: .components([Component(tag: byte(&generator), time: time), Component(tag: 1, time: nil)])
            default: .componentsImmediately(someBytes(5, &generator))
            }
        var details = Details(isOut: Bool.random(using: &generator), place: place, duration: .random(&generator))
        details.isCompliant = Bool.random(using: &generator)
        details.programID = UInt16.random(in: 0...UInt16.max, using: &generator)
        (details.avail, details.availsExpected) = (byte(&generator), byte(&generator))
        insert.details = details
        return insert
    }
}

extension SpliceDescriptor {
    fileprivate static func random(_ generator: inout some RandomNumberGenerator) -> SpliceDescriptor {
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: .avail(providerID: anIdentifier(&generator))
        case 1: .tones(preroll: byte(&generator), characters: someBytes(7, &generator))
        case 2:
            .time(
                seconds: UInt64.random(in: 0..<1 << 48, using: &generator),
                nanoseconds: anIdentifier(&generator),
                utcOffset: UInt16.random(in: 0...UInt16.max, using: &generator)
            )
        case 3:
            .audio([
                SpliceAudio(
                    componentTag: byte(&generator),
                    language: Array("deu".utf8),
                    bitStreamMode: UInt8.random(in: 0..<8, using: &generator),
                    channels: UInt8.random(in: 0..<16, using: &generator),
                    isFullService: Bool.random(using: &generator)
                )
            ])
        case 4: .other(tag: 0xF0, identifier: anIdentifier(&generator), bytes: someBytes(40, &generator))
        default: .segmentation(.random(&generator))
        }
    }
}

extension SegmentationDescriptor {
    fileprivate static func random(_ generator: inout some RandomNumberGenerator) -> SegmentationDescriptor {
        var descriptor = SegmentationDescriptor(eventID: anIdentifier(&generator), details: nil)
        descriptor.isCompliant = Bool.random(using: &generator)
        guard Int.random(in: 0..<4, using: &generator) > 0 else { return descriptor }
        var details = Details(type: SegmentationType(rawValue: byte(&generator)))
        if Bool.random(using: &generator) { details.duration = UInt64.random(in: 0..<1 << 40, using: &generator) }
        details.upid = SegmentationUPID(type: byte(&generator), bytes: someBytes(40, &generator))
        details.segment = Position(number: byte(&generator), expected: byte(&generator))
        if Bool.random(using: &generator) {
            details.subsegment = Position(number: byte(&generator), expected: byte(&generator))
        }
        if Bool.random(using: &generator) {
            details.restrictions = Restrictions(
                allowsWebDelivery: Bool.random(using: &generator),
                hasNoRegionalBlackout: Bool.random(using: &generator),
                allowsArchive: Bool.random(using: &generator),
                devices: UInt8.random(in: 0..<4, using: &generator)
            )
        }
        if Bool.random(using: &generator) {
            details.components = [Component(tag: byte(&generator), offset: SpliceInfoSection.ticks(&generator))]
        }
        descriptor.details = details
        return descriptor
    }
}

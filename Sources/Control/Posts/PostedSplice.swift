import Foundation
import MediaCore
import Operations
import SCTE35

/// A request for a splice: the fields of splice_insert, or of time_signal with one segmentation, or a whole section.
struct PostedSplice: PostedCommand, Hashable {
    /// The bytes of a `splice_info_section` (ANSI/SCTE 35 § 9.6).
    var section: [UInt8]
    /// The time of the splice, in UTC.
    var time: MediaTime

    private static let keys = """
        section; or event, out, duration, auto-return, program, avail, avails-expected, cancel; or type, duration, upid, \
        segment, segments-expected; with at
        """

    static let plural = "splices"

    /// Reads `{"event": 7, "out": true, "at": TIME, "duration": 30}`, one with `"type"`, or `{"section": …}`.
    ///
    /// The default time is that of the section, or now.
    init?(_ fields: inout CommandFields) {
        let given = fields.takeTime("at")
        let isWhole = fields.has("section")
        let whole = isWhole ? fields.takeSection() : nil
        time = given ?? whole?.utc(near: fields.now) ?? fields.now
        var section = whole
        if !isWhole {
            section = fields.has("type") ? fields.takeSignal(at: time) : fields.takeInsert(at: time)
        } else if let given {
            section?.move(to: given)
        }
        // After a mistake, known keys may be left.
        if fields.problems.isEmpty { fields.refuseOthers(known: Self.keys) }
        guard let section else { return nil }
        do {
            self.section = try section.bytes()
        } catch {
            fields.refuse("the section cannot be written: \(error)")
            return nil
        }
    }

    var content: ScheduleAction.Content { .splice(section, at: time) }

    func answer(_ outcome: ScheduleOutcome) -> ScheduleAnswer { ScheduleAnswer(at: time, outcome) }
}

extension CommandFields {
    /// A section as hexadecimal digits or Base64.
    fileprivate mutating func takeSection() -> SpliceInfoSection? {
        guard let text = takeText("section", in: 1...16_384) else { return nil }
        guard let bytes = [UInt8](hexDigits: text) ?? Data(base64Encoded: text).map({ [UInt8]($0) }) else {
            refuse("\"section\" must be hexadecimal digits or Base64")
            return nil
        }
        do throws(SpliceError) {
            return try SpliceInfoSection(bytes.span.bytes)
        } catch {
            refuse("\"section\" is no splice_info_section: \(error)")
            return nil
        }
    }

    fileprivate mutating func takeInsert(at time: MediaTime) -> SpliceInfoSection? {
        guard let event = takeEvent() else { return nil }
        if takeFlag("cancel") == true { return SpliceInfoSection(.insert(SpliceInsert(eventID: event, details: nil))) }
        if !has("out") { refuse("\"out\" is missing: true out of the programme, false back into it") }
        var details = SpliceInsert.Details(isOut: takeFlag("out") ?? false, place: .program(time.timestamp))
        let returns = takeFlag("auto-return")
        if let duration = takeSeconds("duration", upTo: 86_400) {
            details.duration = BreakDuration(ticks: UInt64(duration.ticks), returnsByItself: returns ?? true)
            if !details.isOut { refuse("\"duration\" goes with a way out") }
        } else if returns == true {
            refuse("\"auto-return\" needs a \"duration\"")
        }
        details.programID = UInt16(takeInteger("program", in: 0...65_535) ?? 0)
        details.avail = UInt8(takeInteger("avail", in: 0...255) ?? 0)
        details.availsExpected = UInt8(takeInteger("avails-expected", in: 0...255) ?? 0)
        return SpliceInfoSection(.insert(SpliceInsert(eventID: event, details: details)))
    }

    fileprivate mutating func takeSignal(at time: MediaTime) -> SpliceInfoSection? {
        guard let event = takeEvent() else { return nil }
        guard let type = takeInteger("type", in: 0...255) else { return nil }
        var details = SegmentationDescriptor.Details(type: SegmentationType(rawValue: UInt8(type)))
        details.duration = takeSeconds("duration", upTo: 30 * 86_400).map { UInt64($0.ticks) }
        details.segment.number = UInt8(takeInteger("segment", in: 0...255) ?? 0)
        details.segment.expected = UInt8(takeInteger("segments-expected", in: 0...255) ?? 0)
        if let upid = takeUPID() { details.upid = upid }
        let descriptor = SegmentationDescriptor(eventID: event, details: details)
        return SpliceInfoSection(.timeSignal(time.timestamp), [.segmentation(descriptor)])
    }

    private mutating func takeEvent() -> UInt32? {
        if !has("event") { refuse("\"event\" is missing: its number, or \"section\"") }
        return takeInteger("event", in: 0...Int(UInt32.max)).map { UInt32($0) }
    }

    /// `{"type": 12, "text": "…"}`, or `"hex"` in place of the text.
    private mutating func takeUPID() -> SegmentationUPID? {
        guard let value = take("upid") else { return nil }
        if case .object(let object) = value, object.count == 2, case .number(let number)? = object["type"],
            let type = UInt8(exactly: number)
        {
            var bytes: [UInt8]?
            if case .string(let text)? = object["text"] { bytes = Array(text.utf8) }
            if case .string(let digits)? = object["hex"] { bytes = [UInt8](hexDigits: digits) }
            if let bytes, bytes.count <= 200 { return SegmentationUPID(type: type, bytes: bytes) }
        }
        refuse("\"upid\" must be {\"type\": NUMBER, \"text\": …} or {\"type\": NUMBER, \"hex\": …} of up to 200 bytes")
        return nil
    }
}

extension MediaTime {
    /// The time as transport streams count it: UTC in ticks of 90 kHz modulo 2^33.
    fileprivate var timestamp: UInt64 { UInt64(bitPattern: ticks) & (1 << 33 - 1) }
}

extension SpliceInfoSection {
    /// The first time in the section, in ticks of 90 kHz modulo 2^33; nil if there is none.
    private var timestamp: UInt64? {
        guard case .clear(let command, _) = content else { return nil }
        let time: UInt64? =
            switch command {
            case .timeSignal(let time): time
            case .insert(let insert):
                switch insert.details?.place {
                case .program(let time)?: time
                case .components(let components)?: components.lazy.compactMap(\.time).first
                case .immediately?, .componentsImmediately?, nil: nil
                }
            case .null, .schedule, .bandwidthReservation, .privateCommand, .other: nil
            }
        return time.map { timestamp(of: $0) }
    }

    /// The time of the section, in UTC.
    ///
    /// - Parameter now: The present time; the result is the nearest match.
    /// - Returns: The time; nil if the section has none.
    fileprivate func utc(near now: MediaTime) -> MediaTime? {
        timestamp.map { time in
            let (half, modulus) = (Int64(1) << 32, Int64(1) << 33)
            let distance = (Int64(time) - now.ticks % modulus + half + 2 * modulus) % modulus - half
            return now + MediaTime(ticks: distance)
        }
    }

    /// Moves the times of the section, by its pts_adjustment (§ 9.6.1).
    fileprivate mutating func move(to time: MediaTime) {
        guard let own = timestamp else { return }
        adjustment = (adjustment &+ time.timestamp &- own) & (1 << 33 - 1)
    }
}

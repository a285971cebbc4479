import MPEGTS
import MediaCore
import SCTE35

extension EncoderRun {
    /// A message of an encoder about its programme's breaks.
    struct Announcement: Hashable, Sendable {
        var time: MediaTime
        /// A `splice_info_section`.
        var section: [UInt8]
    }

    /// The number of times that each is sent, a second apart.
    private static let repetitions = 2

    /// Ways out and back, each with the first key frame that is due then, told while the encoder lives.
    func announcements() -> [Announcement] {
        guard let main = parts.first?.sample.main else { return [] }
        var all: [Announcement] = []
        for (index, announced) in configuration.breaks.enumerated() {
            let out = keyFrame(of: main, from: clock.source(at: announced.start))
            let back = keyFrame(of: main, from: clock.source(at: announced.end))
            for (isOut, splice) in [(true, out), (false, back)] {
                for repetition in 0..<Self.repetitions {
                    let told = splice - announced.lead + MediaTime(seconds: Int64(repetition))
                    let time = clock.wall(at: told + configuration.delay)
                    guard told < splice, time >= start, end.map({ time < $0 }) ?? true else { continue }
                    let timestamp = (splice + timestampOffset(at: time)).ticks & (Timestamps.transportStreamModulus - 1)
                    let length = BreakDuration(ticks: UInt64((back - out).ticks), returnsByItself: false)
                    let details = SpliceInsert.Details(
                        isOut: isOut,
                        place: .program(UInt64(timestamp)),
                        duration: isOut ? length : nil
                    )
                    let section = SpliceInfoSection(.insert(SpliceInsert(eventID: UInt32(index + 1), details: details)))
                    if let bytes = try? section.bytes() { all.append(Announcement(time: time, section: bytes)) }
                }
            }
        }
        return all.sorted { $0.time < $1.time }
    }

    /// The presentation time of the first key frame at a time of the source timeline, or after it.
    private func keyFrame(of stream: FeedStream, from time: MediaTime) -> MediaTime {
        var index = stream.index(decodedFrom: time - configuration.sample.reordering)
        while true {
            let unit = stream.unit(index)
            if unit.isKey, unit.presentationTime >= time { return unit.presentationTime }
            index += 1
        }
    }
}

extension ProgramTables {
    /// The tables with a stream of SCTE-35, registered (ANSI/SCTE 35 § 8.1), and its PID.
    var withSplices: (tables: ProgramTables, pid: UInt16) {
        let used = Set(map.streams.map(\.pid) + sections(version: 0).map(\.pid))
        let pid = (0x1F4...0x1FFE as ClosedRange<UInt16>).first { !used.contains($0) } ?? 0x1FFE
        var tables = self
        tables.map.descriptors += [0x05, 4] + Array("CUEI".utf8)
        tables.map.streams.append(ProgramMap.Stream(type: 0x86, pid: pid))
        return (tables, pid)
    }
}

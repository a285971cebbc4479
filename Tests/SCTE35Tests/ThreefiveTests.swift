import Foundation
import MediaCore
import TestSupport
import Testing

@testable import SCTE35

/// Sections that this package writes, read by `threefive`.
@Suite struct ThreefiveTests {
    private struct Reading: Codable, Hashable {
        struct Segmentation: Codable, Hashable {
            var event: UInt32
            var type: UInt8?
            var duration: UInt64?
            var number: UInt8?
            var expected: UInt8?
            var upid: String?
        }

        var type: UInt8
        var adjustment: UInt64
        var tier: UInt16
        var time: UInt64?
        var event: UInt32?
        var isOut: Bool?
        var isImmediate: Bool?
        var breakDuration: UInt64?
        var returns: Bool?
        var avail: UInt8?
        var segmentations: [Segmentation]

        /// Fails if the section has something that the other reader does not support.
        init?(_ section: SpliceInfoSection) {
            guard case .clear(let command, let descriptors) = section.content else { return nil }
            (type, adjustment, tier) = (command.type, section.adjustment, section.tier)
            segmentations = []
            switch command {
            case .null, .bandwidthReservation: break
            case .timeSignal(let time): self.time = time
            case .insert(let insert):
                event = insert.eventID
                guard let details = insert.details else { break }
                switch details.place {
                case .immediately: isImmediate = true
                case .program(let time): (isImmediate, self.time) = (false, time)
                case .components, .componentsImmediately: return nil
                }
                (isOut, avail) = (details.isOut, details.avail)
                (breakDuration, returns) = (details.duration?.ticks, details.duration?.returnsByItself)
            case .schedule, .privateCommand, .other: return nil
            }
            for descriptor in descriptors {
                guard case .segmentation(let segmentation) = descriptor else { return nil }
                guard segmentation.details?.components == nil else { return nil }
                let details = segmentation.details
                segmentations.append(
                    Segmentation(
                        event: segmentation.eventID,
                        type: details?.type.rawValue,
                        duration: details?.duration,
                        number: details?.segment.number,
                        expected: details?.segment.expected,
                        upid: details.map { $0.upid.text }
                    )
                )
            }
        }
    }

    @Test func anotherReaderReadsTheSame() async throws {
        var generator = SeededGenerator(seed: 35)
        var sections: [(base64: String, reading: Reading)] = []
        while sections.count < 300 {
            var section = SpliceInfoSection.random(&generator)
            if case .clear(let command, var descriptors) = section.content {
                for (index, descriptor) in descriptors.enumerated() {
                    guard case .segmentation(var segmentation) = descriptor else { continue }
                    segmentation.details?.upid = SegmentationUPID(type: 0x0F, bytes: Array("urn:a:\(index)".utf8))
                    descriptors[index] = .segmentation(segmentation)
                }
                section.content = .clear(command, descriptors)
            }
            guard let reading = Reading(section) else { continue }
            sections.append((Data(try section.bytes()).base64EncodedString(), reading))
        }
        let script = Repository.script("SCTE35Tests/threefive_reads.py")
        let output = try await Program.run(Repository.python, [script] + sections.map(\.base64))
        let lines = output.split(separator: "\n")
        #expect(lines.count == sections.count)
        for (line, section) in zip(lines, sections) {
            let reading = try JSONDecoder().decode(Reading.self, from: Data(line.utf8))
            #expect(reading == section.reading, "\(section.base64)")
        }
    }
}

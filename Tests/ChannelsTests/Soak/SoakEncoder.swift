import MediaCore
import TestSupport

@testable import Channels
@testable import Packaging
@testable import Segmenting

/// One of two encoders of a programme, and its cable to the packager: 25 pictures a second with a key frame each second,
/// and AAC of 48 kHz, both counted from 1970.
struct SoakEncoder {
    static let pictureTicks: Int64 = 3_600
    static let picturesPerSecond: Int64 = 25
    private static let audioTicks: Int64 = 1_920
    private static let picturesPerKeyFrame: Int64 = 25

    private struct Packet {
        var track: Int
        var timestamp: Int64?
        var isCorrupt = false
        var payload: [UInt8]
    }

    private let input: ChannelInput
    /// True if timestamps are UTC, except while a fault lasts.
    private let isOnCommonClock: Bool
    /// The number of pictures by which everything arrives late.
    private let latency: Int64
    private var generator: SeededGenerator
    private var fault: SoakFault?
    /// Timestamps minus UTC, in ticks.
    private var offset: Int64 = 0
    private var feed = ChannelFeed()
    /// The packets that were sent and have not arrived, with the picture at which they may.
    private var cable: [(packet: Packet, due: Int64)] = []
    /// The samples that are sent again and again, by track.
    private var frozen: [Int: [UInt8]] = [:]

    /// - Parameters:
    ///   - input: Where it is plugged in.
    ///   - isOnCommonClock: Whether its timestamps are UTC; else they come from nowhere.
    ///   - latency: By so many pictures everything arrives late.
    ///   - seed: Of what is by chance.
    init(_ input: ChannelInput, isOnCommonClock: Bool, latency: Int64, seed: UInt64) {
        self.input = input
        self.isOnCommonClock = isOnCommonClock
        self.latency = latency
        generator = SeededGenerator(seed: seed)
    }

    /// Returns the time of a picture, in UTC.
    static func time(of picture: Int64) -> MediaTime { MediaTime(ticks: picture * pictureTicks) }

    /// It starts; its first picture is this one, counted from 1970.
    mutating func open(at picture: Int64) {
        // Timestamps that come from nowhere wrap within the hour.
        let lead = Int64.random(in: 0..<3_600 * 90_000, using: &generator)
        if !isOnCommonClock { offset = -picture * Self.pictureTicks - lead }
        feed.open(input)
    }

    mutating func begin(_ fault: SoakFault) {
        self.fault = fault
        let jump = Int64.random(in: 1...40_000, using: &generator) * 90_000
        switch fault {
        case .killed, .restarted:
            cable = []
            input.inputLost(reason: "connection reset")
        case .jumpForwards: offset += jump
        case .jumpBack: offset -= jump
        default: break
        }
    }

    /// - Parameter picture: The first one without the fault.
    mutating func endFault(at picture: Int64) {
        switch fault {
        case .restarted:
            feed = ChannelFeed(video: feed.audio, audio: feed.video)
            open(at: picture)
        case .killed: feed.open(input)
        default: break
        }
        if isOnCommonClock { offset = 0 }
        frozen = [:]
        fault = nil
    }

    /// A picture is taken, with its audio; what is due arrives.
    mutating func send(_ picture: Int64) {
        if fault == .drift, picture % 100 == 0 { offset += 36 }
        if fault != .killed, fault != .restarted { encode(picture) }
        guard fault != .stall else { return }
        let due = cable.prefix { $0.due <= picture }.count
        for entry in cable[..<due] { arrive(entry.packet) }
        cable.removeFirst(due)
    }

    private mutating func encode(_ picture: Int64) {
        let utc = picture * Self.pictureTicks
        if let audio = feed.audio, fault != .audioLost {
            // Frames that begin while the picture is seen.
            var frame = (utc + Self.audioTicks - 1) / Self.audioTicks
            while frame * Self.audioTicks < utc + Self.pictureTicks {
                post(audio, Self.audioHead, utc: frame * Self.audioTicks, picture)
                frame += 1
            }
        }
        guard let video = feed.video, fault != .videoLost else { return }
        let isKey = picture % Self.picturesPerKeyFrame == 0
        let key = fault == .configurationChange ? Self.otherKeyHead : Self.keyHead
        post(video, isKey ? key : Self.pictureHead, utc: utc, picture)
    }

    private mutating func post(_ track: Int, _ head: [UInt8], utc: Int64, _ picture: Int64) {
        let timestamp = (utc + offset) & (ChannelFeed.modulus - 1)
        var payload = head
        SoakIdentity(utc: utc, timestamp: isOnCommonClock ? timestamp : 0).write(to: &payload)
        if fault == .frozen {
            // Nothing that is frozen knows its time.
            payload = frozen[track] ?? head
            frozen[track] = payload
        }
        send(Packet(track: track, timestamp: timestamp, payload: payload), at: picture + latency)
    }

    /// Puts a packet on the cable, where things happen to it.
    private mutating func send(_ packet: Packet, at due: Int64) {
        var (packet, due) = (packet, due)
        let isHit = Int.random(in: 0..<20, using: &generator) == 0
        switch fault {
        case .cablePulled: return
        case .loss where isHit: return
        case .damage: packet.isCorrupt = isHit
        case .untimed where isHit: packet.timestamp = nil
        case .duplication where isHit: cable.append((packet, due))
        case .jitter: due = max(due + Int64.random(in: 0...8, using: &generator), cable.last?.due ?? 0)
        case .reordering where isHit && !cable.isEmpty:
            let place = max(0, cable.count - Int.random(in: 1...4, using: &generator))
            return cable.insert((packet, cable[place].due), at: place)
        case .garbage where isHit:
            let bytes = generator.bytes(Int.random(in: 1...60, using: &generator)).map { $0 & 0x3F | 1 }
            let track = Bool.random(using: &generator) ? feed.video ?? 0 : 9
            cable.append((Packet(track: track, timestamp: packet.timestamp, payload: bytes), due))
        default: break
        }
        cable.append((packet, due))
    }

    private func arrive(_ packet: Packet) {
        input.inputReceived(
            PacketInfo(
                trackIndex: InputTrackIndex(packet.track),
                presentationTimestamp: packet.timestamp,
                decodeTimestamp: packet.timestamp,
                isCorrupt: packet.isCorrupt
            ),
            payload: packet.payload.span.bytes
        )
        guard let timestamp = packet.timestamp else { return }
        let content: ContentFinding.Content =
            packet.track == feed.video
            ? .picture(fault == .frozen ? .same : .moved) : .audio(level: fault == .frozen ? -.infinity : -23)
        input.inputExamined(
            ContentFinding(
                trackIndex: InputTrackIndex(packet.track),
                mediaTime: MediaTime(ticks: timestamp),
                content: content
            )
        )
    }

    // What follows each header: blocks for encryption to take.
    private static let blocks = [UInt8](repeating: 0x55, count: 48)
    private static let audioHead: [UInt8] = [0x21] + blocks.dropFirst()
    private static let pictureHead = ChannelFeed.picture + blocks
    private static let keyHead = ChannelFeed.idrPicture + blocks
    /// With another level in its sequence parameter set.
    private static let otherKeyHead: [UInt8] = keyHead[..<7] + [0x0D] + keyHead[8...]
}

package import MediaCore

/// Reads one caption service of CEA-708, as a decoder shows it (CTA-708 § 5 to § 8).
///
/// Commands show and hide windows. Text in a visible window appears as it is written, twice a
/// second at most.
package struct CaptionServiceReader: CaptionReader {
    /// The time for which text that is written as it is shown waits for more, in 90 kHz ticks.
    private static let pace = MediaTime.timescale / 2
    /// The bytes that a decoder holds while a service is delayed (§ 8.5).
    private static let mostDelayed = 128

    private let service: Int
    private let modulus: Int64?
    /// The bytes of a packet so far.
    private var packet: [UInt8] = []
    private var packetSize = 0
    /// Bytes of the service that are no whole command yet.
    private var rest: [UInt8] = []
    private var windows: [CaptionWindow?] = Array(repeating: nil, count: 8)
    private var current = 0
    private var screen: ScreenText
    private var delayedUntil: Int64?
    /// True if the visible text is another since it was shown; and the time since which something was written in it.
    private var mustShow = false
    private var changed: Int64?

    /// - Parameters:
    ///   - service: 1 to 63.
    ///   - modulus: Ticks of 90 kHz after which timestamps wrap; nil if never.
    package init(service: Int, modulus: Int64?) {
        self.service = service
        self.modulus = modulus
        screen = ScreenText(modulus: modulus)
    }

    package mutating func read(_ triplets: [CaptionTriplet], at time: Int64) -> [FeedCue] {
        var cues = screen.reached(time)
        for triplet in triplets {
            switch triplet.kind {
            case .field1, .field2: continue
            case .packetStart:
                let code = Int(triplet.first & 0x3F)
                packetSize = (code == 0 ? 128 : code * 2) - 1
                packet = [triplet.second]
            case .packetData:
                guard packetSize > 0 else { continue }
                packet += [triplet.first, triplet.second]
            }
            guard packetSize > 0, packet.count >= packetSize else { continue }
            readBlocks(packet.prefix(packetSize))
            (packet, packetSize) = ([], 0)
        }
        if let until = delayedUntil, Timestamps.distance(from: until, to: time, modulus: modulus) >= 0 {
            delayedUntil = nil
        }
        readCommands(at: time)
        if let changed, Timestamps.distance(from: changed, to: time, modulus: modulus) >= Self.pace { mustShow = true }
        if mustShow {
            (mustShow, changed) = (false, nil)
            cues += screen.show(content, at: time)
        }
        return cues
    }

    /// Service blocks (§ 6.2).
    private mutating func readBlocks(_ bytes: ArraySlice<UInt8>) {
        var bytes = bytes
        while let header = bytes.popFirst() {
            var number = Int(header >> 5)
            let size = Int(header & 0x1F)
            // A null block ends the packet.
            guard number != 0 else { return }
            if number == 7, size != 0, let extended = bytes.popFirst() { number = Int(extended & 0x3F) }
            if number == service { rest += bytes.prefix(size) }
            bytes = bytes.dropFirst(size)
        }
    }

    /// Reads all whole commands.
    private mutating func readCommands(at time: Int64) {
        // DelayCancel and Reset take effect at once.
        if delayedUntil != nil, rest.count > Self.mostDelayed || rest.contains(where: { $0 == 0x8E || $0 == 0x8F }) {
            delayedUntil = nil
        }
        var index = rest.startIndex
        while delayedUntil == nil, index < rest.endIndex, let length = Self.length(of: rest[index...]),
            length <= rest.endIndex - index
        {
            read(Array(rest[index..<index + length]), at: time)
            index += length
        }
        rest.removeFirst(index)
    }

    /// Bytes of the command that comes next (§ 7.1.3 to § 7.1.5); nil while that is not known.
    private static func length(of bytes: ArraySlice<UInt8>) -> Int? {
        guard let code = bytes.first else { return nil }
        switch code {
        case 0x00...0x0F: return 1
        case 0x10:
            guard let extended = bytes.dropFirst().first else { return nil }
            switch extended {
            case 0x08...0x0F: return 3
            case 0x10...0x17: return 4
            case 0x18...0x1F: return 5
            case 0x80...0x87: return 6
            case 0x88...0x8F: return 7
            case 0x90...0x9F: return bytes.dropFirst(2).first.map { 3 + Int($0 & 0x1F) }
            default: return 2
            }
        case 0x11...0x17: return 2
        case 0x18...0x1F: return 3
        case 0x88...0x8D: return 2
        case 0x90, 0x92: return 3
        case 0x91: return 4
        case 0x97: return 5
        case 0x98...0x9F: return 7
        default: return 1
        }
    }

    private mutating func read(_ command: [UInt8], at time: Int64) {
        switch command[0] {
        case 0x08: write(at: time) { $0.erasePrevious() }
        case 0x0C: write(at: time) { $0.clear() }
        case 0x0D: write(at: time) { $0.breakLine() }
        case 0x0E: write(at: time) { $0.eraseRow() }
        case 0x10:
            if [0x20...0x7F, 0xA0...0xFF].contains(where: { $0.contains(command[1]) }) {
                write(at: time) { $0.write(CaptionServiceCharacters.extended(command[1])) }
            }
        case 0x18:
            // A character of 16 bits (§ 7.1.2).
            let scalar = Unicode.Scalar(UInt16(command[1]) << 8 | UInt16(command[2])) ?? "\u{FFFD}"
            if scalar.value >= 0x20 { write(at: time) { $0.write(Character(scalar)) } }
        case 0x20...0x7F, 0xA0...0xFF: write(at: time) { $0.write(CaptionServiceCharacters.basic(command[0])) }
        case 0x80...0x87: current = Int(command[0] & 7)
        case 0x88: change(command[1]) { $0?.clear() }
        case 0x89: change(command[1]) { $0?.isVisible = true }
        case 0x8A: change(command[1]) { $0?.isVisible = false }
        case 0x8B: change(command[1]) { $0?.isVisible.toggle() }
        case 0x8C: change(command[1]) { $0 = nil }
        case 0x8D: delayedUntil = time &+ Int64(command[1]) * (MediaTime.timescale / 10)
        case 0x8F:
            windows = Array(repeating: nil, count: 8)
            mustShow = true
        case 0x90:
            windows[current]?.style.isItalic = command[2] & 0x80 != 0
            windows[current]?.style.isUnderlined = command[2] & 0x40 != 0
        case 0x91: windows[current]?.style.color = Self.color(command[1])
        case 0x92: windows[current]?.move(row: Int(command[1] & 0xF), column: Int(command[2] & 0x3F))
        case 0x98...0x9F: define(Int(command[0] & 7), Array(command.dropFirst()))
        default: break
        }
    }

    private mutating func define(_ number: Int, _ parameters: [UInt8]) {
        let before = windows[number]
        if windows[number] == nil {
            windows[number] = CaptionWindow(defining: parameters)
        } else {
            windows[number]?.redefine(parameters)
        }
        current = number
        if before?.isVisible ?? false != windows[number]?.isVisible ?? false { mustShow = true }
    }

    private mutating func write(at time: Int64, _ change: (inout CaptionWindow) -> Void) {
        guard var window = windows[current] else { return }
        change(&window)
        windows[current] = window
        if window.isVisible { changed = changed ?? time }
    }

    /// Changes the windows whose bits are set.
    private mutating func change(_ bits: UInt8, _ change: (inout CaptionWindow?) -> Void) {
        for number in windows.indices where bits >> UInt8(number) & 1 == 1 {
            let before = windows[number]
            change(&windows[number])
            let isSeen = before?.isVisible ?? false || windows[number]?.isVisible ?? false
            if isSeen, before != windows[number] { mustShow = true }
        }
    }

    /// Two bits each of red, green and blue; nil for white, and for unreadable colours.
    private static func color(_ code: UInt8) -> String? {
        CueText.color(red: code >> 4 & 3 >= 2, green: code >> 2 & 3 >= 2, blue: code & 3 >= 2)
    }

    /// All windows that are seen, from above; nil if there is nothing in them.
    private var content: CueContent? {
        let seen = windows.compactMap { $0 }.filter { $0.isVisible && !$0.screen.text.isEmpty }
        let ordered = seen.sorted { $0.top < $1.top }
        guard let first = ordered.first else { return nil }
        let text = ordered.map(\.screen.text).joined(separator: "\n")
        // Further below is where players show them anyway.
        return CueContent(text: text, settings: first.top < 60 ? "line:\(10 + first.top * 80 / 100)%" : "")
    }
}

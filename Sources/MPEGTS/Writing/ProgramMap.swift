import MediaCore

/// A program map (ISO/IEC 13818-1 § 2.4.4.8).
package struct ProgramMap: Hashable, Sendable {
    /// The PID of the program clock reference.
    package var clockPID: UInt16
    /// The descriptors of the program, each with tag and length.
    package var descriptors: [UInt8]
    package var streams: [Stream]

    package struct Stream: Hashable, Sendable {
        /// stream_type (ISO/IEC 13818-1 table 2-34).
        package var type: UInt8
        package var pid: UInt16
        var descriptors: [UInt8]

        package init(type: UInt8, pid: UInt16, descriptors: [UInt8] = []) {
            self.type = type
            self.pid = pid
            self.descriptors = descriptors
        }
    }

    package init(clockPID: UInt16, descriptors: [UInt8] = [], streams: [Stream]) {
        self.clockPID = clockPID
        self.descriptors = descriptors
        self.streams = streams
    }

    /// The body of its section.
    var body: [UInt8] {
        var bytes = (0xE000 | clockPID).bigEndianBytes
        bytes += (0xF000 | UInt16(descriptors.count)).bigEndianBytes + descriptors
        for stream in streams {
            bytes += [stream.type] + (0xE000 | stream.pid).bigEndianBytes
            bytes += (0xF000 | UInt16(stream.descriptors.count)).bigEndianBytes + stream.descriptors
        }
        return bytes
    }
}

package import NIOCore

/// One message (RTMP 1.0 § 6.1), put together of its chunks.
package struct RTMPMessage: Hashable, Sendable {
    package var kind: Kind
    /// Milliseconds, modulo 2^32.
    package var timestamp: UInt32
    /// The message stream that it belongs to; 0 is that of the connection itself.
    var streamID: UInt32
    package var payload: ByteBuffer

    package init(_ kind: Kind, timestamp: UInt32 = 0, streamID: UInt32 = 0, payload: ByteBuffer) {
        self.kind = kind
        self.timestamp = timestamp
        self.streamID = streamID
        self.payload = payload
    }

    /// Message type IDs (§ 5.4, § 6.2, § 7.1).
    package struct Kind: RawRepresentable, Hashable, Sendable {
        package var rawValue: UInt8

        package init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        static let setChunkSize = Self(rawValue: 1)
        static let abort = Self(rawValue: 2)
        static let acknowledgement = Self(rawValue: 3)
        static let userControl = Self(rawValue: 4)
        static let windowAcknowledgementSize = Self(rawValue: 5)
        static let setPeerBandwidth = Self(rawValue: 6)
        package static let audio = Self(rawValue: 8)
        package static let video = Self(rawValue: 9)
        static let dataAMF3 = Self(rawValue: 15)
        static let commandAMF3 = Self(rawValue: 17)
        package static let data = Self(rawValue: 18)
        package static let command = Self(rawValue: 20)
        static let aggregate = Self(rawValue: 22)
    }
}

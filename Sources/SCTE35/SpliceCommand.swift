/// The command of a section (ANSI/SCTE 35 § 9.7).
package enum SpliceCommand: Hashable, Sendable {
    /// A null command: the sender is alive, or has descriptors only.
    case null
    case schedule([ScheduledSplice])
    case insert(SpliceInsert)
    /// A time at which what the descriptors say happens, in ticks of 90 kHz; nil for at once.
    case timeSignal(UInt64?)
    /// Keeps a remultiplexer's room for messages to come.
    case bandwidthReservation
    case privateCommand(identifier: UInt32, bytes: [UInt8])
    /// A command of a type that the standard keeps for later.
    case other(type: UInt8, bytes: [UInt8])

    /// splice_command_type (Table 7).
    package var type: UInt8 {
        switch self {
        case .null: 0x00
        case .schedule: 0x04
        case .insert: 0x05
        case .timeSignal: 0x06
        case .bandwidthReservation: 0x07
        case .privateCommand: 0xFF
        case .other(let type, _): type
        }
    }
}

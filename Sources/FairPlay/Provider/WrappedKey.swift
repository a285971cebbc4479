/// A content key as only one device can read it.
///
/// No description, dump or interpolation of it shows R1, which the CKC is encrypted with.
struct WrappedKey {
    /// The TLLVs that carry it.
    var fields: [TLLV]
    var r1: [UInt8]
    /// True if R1 came with the session key of the device's video decoder.
    var isR1OfVideo: Bool
    /// HU.
    var deviceID: [UInt8]
}

extension WrappedKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    var description: String { "WrappedKey(redacted)" }
    var debugDescription: String { description }
    var customMirror: Mirror { Mirror(self, children: []) }
}

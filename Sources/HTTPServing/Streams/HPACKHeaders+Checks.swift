import NIOHPACK

/// The rules for header fields of requests (RFC 9113 § 8.2).
///
/// NIO has the same checks, but cannot do without those of our own answers: both took an eighth of the CPU of a
/// playlist. A malformed request could otherwise become two in front of a server of HTTP/1.1, or in a log.
extension HPACKHeaders {
    /// True if a well-formed request can begin with these fields (RFC 9113 § 8.3.1, § 8.5).
    var canBeginRequest: Bool {
        var control: ControlFields = []
        var isConnect = false
        var isBehindControl = false
        for (name, value, _) in self {
            guard name.utf8.first == UInt8(ascii: ":") else {
                isBehindControl = true
                guard Self.isRegular(name, value) else { return false }
                continue
            }
            guard !isBehindControl, let field = ControlFields(name), control.insert(field).inserted,
                !value.isEmpty, value.hasNoBlanks
            else { return false }
            if field == .method { isConnect = value == "CONNECT" }
        }
        return isConnect ? control == [.method, .authority] : control.isSuperset(of: [.method, .scheme, .path])
    }

    /// True if a well-formed request can end with these fields (RFC 9113 § 8.1).
    var canBeTrailers: Bool { allSatisfy { Self.isRegular($0.name, $0.value) } }

    private static func isRegular(_ name: String, _ value: String) -> Bool {
        name.isFieldName && value.isFieldValue && !isConnectionSpecific(name, value)
    }

    /// Finds the fields that RFC 9113 § 8.2.2 forbids; few other names are as long as one of these.
    private static func isConnectionSpecific(_ name: String, _ value: String) -> Bool {
        switch name.utf8.count {
        case 2: name == "te" && value != "trailers"
        case 7: name == "upgrade"
        case 10: name == "connection" || name == "keep-alive"
        case 16: name == "proxy-connection"
        case 17: name == "transfer-encoding"
        default: false
        }
    }
}

/// The pseudo-header fields of a request.
private struct ControlFields: OptionSet {
    var rawValue: UInt8

    static let method = ControlFields(rawValue: 1)
    static let scheme = ControlFields(rawValue: 2)
    static let path = ControlFields(rawValue: 4)
    static let authority = ControlFields(rawValue: 8)

    init(rawValue: UInt8) { self.rawValue = rawValue }

    init?(_ name: String) {
        switch name {
        case ":method": self = .method
        case ":scheme": self = .scheme
        case ":path": self = .path
        case ":authority": self = .authority
        default: return nil
        }
    }
}

extension String {
    /// A token in small letters (RFC 9110 § 5.6.2, RFC 9113 § 8.2.1).
    fileprivate var isFieldName: Bool {
        !isEmpty
            && satisfies { byte in
                switch byte {
                case 0x61...0x7A, 0x2D, 0x30...0x39: true
                case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2E, 0x5E...0x60, 0x7C, 0x7E: true
                default: false
                }
            }
    }

    /// No NUL and no line break.
    fileprivate var isFieldValue: Bool { satisfies { $0 != 0 && $0 != 0x0A && $0 != 0x0D } }

    /// No space and no control character: in a request line of HTTP/1.1, a space would end the target.
    fileprivate var hasNoBlanks: Bool { satisfies { $0 > 0x20 && $0 != 0x7F } }

    private func satisfies(_ isAllowed: (UInt8) -> Bool) -> Bool {
        utf8.withContiguousStorageIfAvailable { $0.allSatisfy(isAllowed) } ?? utf8.allSatisfy(isAllowed)
    }
}

/// Captions in pictures, as INSTREAM-ID names them (RFC 8216bis § 4.4.6.1): `CC1` to `CC4` of CEA-608, `SERVICE1` to
/// `SERVICE63` of CEA-708.
package enum CaptionChannel: Hashable, Sendable {
    case line21(Int)
    case service(Int)

    /// Reads the name of a channel; nil for any other text.
    package init?(_ name: String) {
        let channels = (1...4).map(Self.line21)
        let services = (1...63).map(Self.service)
        guard let channel = (channels + services).first(where: { $0.description == name }) else { return nil }
        self = channel
    }

    /// The name in a menu if no other is known.
    package var menuName: String {
        switch self {
        case .line21(let number): "Captions \(number)"
        case .service(let number): "Digital captions \(number)"
        }
    }
}

extension CaptionChannel: CustomStringConvertible {
    package var description: String {
        switch self {
        case .line21(let number): "CC\(number)"
        case .service(let number): "SERVICE\(number)"
        }
    }
}

/// A version 2 of the protocol between encryptors and key servers (SPEKE API, "Changes from SPEKE v2.0").
enum SPEKEVersion: String, Sendable {
    /// Periods have times as well, and the methods of HLS are schemes.
    case minor1 = "2.1"
    case minor0 = "2.0"

    /// The CPIX@version for it.
    var cpix: String {
        switch self {
        case .minor1: "2.4"
        case .minor0: "2.3"
        }
    }
}

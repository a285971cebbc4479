/// The reason why a section could not be read.
package enum SpliceError: Error, Hashable, Sendable {
    /// It goes on where its bytes, or those that a length in it gives, have ended.
    case truncated
    /// It is some other table.
    case notASpliceInfoSection
    /// A byte in it was changed on the way.
    case checksum
    /// A version that nobody has defined yet.
    case version(UInt8)
    /// A length, named here, that what it counts does not have.
    case length(String)
}

extension SpliceError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .truncated: "the section ends too early"
        case .notASpliceInfoSection: "this is no splice_info_section"
        case .checksum: "its checksum is wrong"
        case .version(let version): "its protocol version is \(version)"
        case .length(let name): "\(name) is wrong"
        }
    }
}

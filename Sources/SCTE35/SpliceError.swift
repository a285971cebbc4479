/// The reason why a section could not be read.
package enum SpliceError: Error, Hashable, Sendable {
    /// The section is shorter than its fields, or than a length in it.
    case truncated
    /// A section of another table.
    case notASpliceInfoSection
    /// A byte in it was changed on the way.
    case checksum
    /// A version that is not defined yet.
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

/// The reason why a codec's bytes could not be read.
package enum CodecError: Error, Hashable, Sendable {
    /// The bytes end before the syntax does.
    case truncated
    /// A value, named here, that its specification forbids.
    case invalid(String)
    /// A feature, named here, that is allowed and that this packager does not carry.
    case unsupported(String)
    /// A slice names a picture parameter set that did not come, or one whose sequence parameter set did not.
    case missingParameterSet(pictureParameterSetID: Int)
}

extension CodecError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .truncated: "truncated"
        case .invalid(let what): "invalid \(what)"
        case .unsupported(let what): "unsupported \(what)"
        case .missingParameterSet(let id): "missing picture parameter set \(id) or its sequence parameter set"
        }
    }
}

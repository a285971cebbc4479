/// The reason why a filter of a multivariant playlist cannot be applied.
package enum FilterError: Error, Hashable, Sendable {
    case unknown(String)
    case repeated(MultivariantFilter.Name)
    case malformed(String)
    case tooManyValues(MultivariantFilter.Name)
    case tooLong
    /// The filter leaves nothing to play.
    case nothingLeft
}

extension FilterError: CustomStringConvertible {
    /// A line for the client.
    ///
    /// It repeats of the request only characters that a filter's name may have.
    package var description: String {
        switch self {
        case .unknown(let name):
            let names = MultivariantFilter.Name.allCases.map(\.rawValue).joined(separator: ", ")
            return "there is no filter\(Self.quoted(name)); the filters are \(names)"
        case .repeated(let name): return "the filter \(name.rawValue) is there twice"
        case .malformed(let name): return "the filter\(Self.quoted(name)) has a value that it cannot have"
        case .tooManyValues(let name):
            return "the filter \(name.rawValue) has more than \(MultivariantFilter.mostValues) values"
        case .tooLong: return "the filters are longer than \(MultivariantFilter.longest) bytes"
        case .nothingLeft: return "nothing is left: no variant passes all filters"
        }
    }

    private static func quoted(_ name: String) -> String {
        let isPlain = name.utf8.count <= 40 && name.wholeMatch(of: /[a-z0-9.\-]+/) != nil
        return isPlain ? " \(name)" : ""
    }
}

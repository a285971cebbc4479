/// A plug-in that cannot be used.
package enum FairPlayProviderError: Error, Hashable, CustomStringConvertible {
    /// The plug-in cannot be loaded; the reason is the loader's.
    case notLoaded(path: String, reason: String)
    case noSymbol(path: String, symbol: String)
    /// The plug-in's function returned nothing.
    case notReady(path: String)
    case version(path: String, found: UInt32, expected: UInt32)

    package var description: String {
        switch self {
        case .notLoaded(let path, let reason):
            "\(path): the FairPlay plug-in cannot be loaded: \(reason)"
        case .noSymbol(let path, let symbol):
            "\(path): it exports no \(symbol), as every FairPlay plug-in does (fairplay_provider.h)"
        case .notReady(let path):
            "\(path): the FairPlay plug-in says that it is not ready: it may miss a library or a file of Apple's package"
        case .version(let path, let found, let expected):
            "\(path): the FairPlay plug-in was built for version \(found) of the interface, not for \(expected): "
                + "build it with the fairplay_provider.h of this packager"
        }
    }
}

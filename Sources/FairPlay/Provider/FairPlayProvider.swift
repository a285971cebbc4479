package import CFairPlayProvider
import Files
import Glibc

/// The plug-in that knows what Apple keeps secret: how a content key is wrapped for one device.
///
/// `fairplay_provider.h` is its interface. It is loaded once and never unloaded.
@safe package struct FairPlayProvider: @unchecked Sendable {
    // Sendable: the interface wants the function to be callable by several threads at once.
    typealias CreateKey =
        @convention(c) (
            UnsafePointer<packager_fairplay_request>?, UnsafeMutablePointer<packager_fairplay_answer>?
        ) -> Int32

    /// The plug-in's name for itself.
    package let name: String
    let spc3: SPC3Parameters?
    let createKey: CreateKey

    private static let symbol = "packager_fairplay_get_provider"

    /// Loads a plug-in.
    ///
    /// - Parameter path: The path of the shared library; a relative one is taken from the working directory.
    /// - Throws: ``FairPlayProviderError``, with the file and the reason.
    package init(path: String) throws(FairPlayProviderError) {
        do throws(FileError) {
            // dlopen would wait for a writer if the path is a FIFO.
            try OpenFile.check(path)
        } catch {
            throw .notLoaded(path: path, reason: error.reason)
        }
        // A name without a slash would be looked for among the libraries of the system.
        guard let library = unsafe dlopen(path.contains("/") ? path : "./\(path)", RTLD_NOW | RTLD_LOCAL) else {
            let reason = unsafe dlerror().map { unsafe String(cString: $0) } ?? "unknown"
            throw .notLoaded(path: path, reason: reason)
        }
        guard let symbol = unsafe dlsym(library, Self.symbol) else {
            throw .noSymbol(path: path, symbol: Self.symbol)
        }
        typealias GetProvider = @convention(c) () -> UnsafePointer<packager_fairplay_provider>?
        // The symbol has the type that the header declares; dlsym offers no other way to a function.
        let getProvider = unsafe unsafeBitCast(symbol, to: GetProvider.self)
        try unsafe self.init(getProvider(), path: path)
    }

    /// Takes a provider that is in the program already.
    ///
    /// - Parameters:
    ///   - table: As the plug-in's function gives it.
    ///   - path: For errors.
    /// - Throws: ``FairPlayProviderError`` if it is not ready, or of another version.
    package init(
        _ table: UnsafePointer<packager_fairplay_provider>?,
        path: String
    ) throws(FairPlayProviderError) {
        guard let table = unsafe table else { throw .notReady(path: path) }
        let version = unsafe table.pointee.version
        guard version == PACKAGER_FAIRPLAY_PROVIDER_VERSION else {
            throw .version(path: path, found: version, expected: UInt32(PACKAGER_FAIRPLAY_PROVIDER_VERSION))
        }
        guard let createKey = unsafe table.pointee.create_key else { throw .notReady(path: path) }
        unsafe self.createKey = createKey
        name = unsafe table.pointee.name.map { unsafe String(cString: $0) } ?? path
        spc3 = unsafe table.pointee.spc3.flatMap { unsafe SPC3Parameters($0.pointee) }
    }
}

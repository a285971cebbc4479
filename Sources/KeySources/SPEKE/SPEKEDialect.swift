/// The form of documents that a key server understands.
struct SPEKEDialect: Hashable, Sendable {
    /// The newest version that the server is not known to lack.
    var version = SPEKEVersion.minor1
    /// True if documents of ``SPEKEVersion/minor1`` call the multivariant playlist as CPIX 2.4 does.
    ///
    /// SPEKE 2.1 keeps the word of 2.0, which the schema of CPIX 2.4 no longer has.
    var hasWordsOfSchema = false

    /// The value of HLSSignalingData@playlist for the multivariant playlist.
    var multivariant: String { version == .minor1 && hasWordsOfSchema ? "multiVariant" : "master" }
}

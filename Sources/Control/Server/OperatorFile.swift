import Guide
package import HTTPServing

/// The files of the operator page.
package enum OperatorFile {
    /// The page at `/`.
    package static let page = PageFile.page(EmbeddedFiles.texts)

    /// The files that the page names, with the guide, by their names.
    package static let files = PageFile.files(EmbeddedFiles.texts.filter { $0.key != APIDocument.name })
        .merging(Guide.files()) { own, _ in own }

    /// The policy that only resources of this server are run, shown or requested (Content Security Policy Level 3);
    /// pictures are blobs if they are fetched with a token.
    static let contentSecurityPolicy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}

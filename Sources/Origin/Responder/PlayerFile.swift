import Guide
package import HTTPServing

/// The files of the player page.
package enum PlayerFile {
    /// The page at `/` and `/NAME/`.
    package static let page = PageFile.page(EmbeddedFiles.texts)

    /// The files that the page names, with the guide's pages about players, by their names.
    package static let files = Dictionary(
        uniqueKeysWithValues: PageFile.files(EmbeddedFiles.texts)
            .merging(Guide.files(Guide.pagesForPlayers)) { own, _ in own }
            .map { (Substring($0), $1) }
    )

    package static func isPublished(_ name: Substring) -> Bool {
        files[name] != nil
    }
}

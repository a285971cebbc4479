package import Pages

/// The files of the operator page.
package enum OperatorFile {
    /// What `/` answers browsers with.
    package static let page = PageFile.html(PackageResources.index_html)

    /// The files that the page names, by their names.
    package static let files: [String: PageFile] = [
        "icon.svg": .icon,
        "look.css": .look,
        "operator.css": .style(PackageResources.operator_css),
        "api.js": .script(PackageResources.api_js),
        "card.js": .script(PackageResources.card_js),
        "dialogs.js": .script(PackageResources.dialogs_js),
        "elements.js": .script(PackageResources.elements_js),
        "events.js": .script(PackageResources.events_js),
        "inputs.js": .script(PackageResources.inputs_js),
        "operator.js": .script(PackageResources.operator_js),
        "pictures.js": .script(PackageResources.pictures_js),
        "timeline.js": .script(PackageResources.timeline_js),
    ]

    /// Nothing but what comes from this face is run, shown or asked (Content Security Policy Level 3); pictures are blobs
    /// where they are fetched with a token.
    static let contentSecurityPolicy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}

package import KeyServing

/// The conditions for playlists and media: viewers show a token, and get a pass for it.
package struct MediaAuthorization: Sendable {
    /// The place of a pass in the requests of an authorized viewer.
    package enum Form: Hashable, Sendable {
        /// The pass is at the beginning of the paths, where players take it from the address of the playlist.
        case path
        /// The pass is in a cookie, for players that keep cookies.
        case cookie
    }

    /// The form in which passes are given out; both are accepted.
    let form: Form
    /// Signs and verifies passes.
    let key: PassKey
    /// Verifies tokens.
    let keyResponder: KeyResponder

    package init(form: Form, key: PassKey, keyResponder: KeyResponder) {
        (self.form, self.key, self.keyResponder) = (form, key, keyResponder)
    }
}

extension SettingValue {
    /// Reads a place that channels may name which come by the control API.
    static func allowedPlace(_ text: String) throws(Invalid) -> AllowedPlace {
        guard let place = AllowedPlace(text) else {
            throw Invalid(
                "'\(text)' is no place; write an absolute path like /srv/media, a URL like https://ads.example.com/live or a "
                    + "program like command:/usr/local/bin/advertisements, without '..', a user or a query"
            )
        }
        return place
    }
}

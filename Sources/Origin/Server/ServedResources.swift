/// The resources that are served at an address.
package enum ServedResources: Sendable {
    case everything
    /// All but keys and licences, which have an address of their own.
    case withoutKeys
    /// Keys, licences and the schedule of keys.
    case keys

    func includes(_ route: Route) -> Bool {
        switch (self, route) {
        case (.everything, _), (_, .keySchedule): true
        case (.keys, .key), (.keys, .clearKeyLicense), (.keys, .fairPlayLicense): true
        case (.withoutKeys, .key), (.withoutKeys, .clearKeyLicense), (.withoutKeys, .fairPlayLicense): false
        case (.keys, _): false
        case (.withoutKeys, _): true
        }
    }
}

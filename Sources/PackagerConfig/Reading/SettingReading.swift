/// A value that is being read, with the places of its settings.
struct SettingReading<Root: Configurable> {
    var value = Root()
    /// The place where its section begins; nil if it has none.
    let origin: SettingOrigin?
    private var origins: [PartialKeyPath<Root>: [SettingOrigin]] = [:]
    private var given: Set<PartialKeyPath<Root>> = []
    /// The places where settings were written, by name.
    private(set) var places: [String: [SettingOrigin]] = [:]

    init(origin: SettingOrigin?) {
        self.origin = origin
    }

    /// The value of a setting, or its default; nil if it is wrong, or nothing.
    subscript<Value>(path: KeyPath<Root, Value>) -> Located<Value>? {
        origins[path]?.first.map { Located(value: value[keyPath: path], origin: $0) }
    }

    subscript<Value>(path: KeyPath<Root, Value?>) -> Located<Value>? {
        guard let value = value[keyPath: path], let origin = origins[path]?.first else { return nil }
        return Located(value: value, origin: origin)
    }

    /// The values of a list, each with its place.
    func elements<Value>(_ path: KeyPath<Root, [Value]>) -> [Located<Value>] {
        zip(value[keyPath: path], origins[path] ?? []).map(Located.init)
    }

    /// Returns true if any source has a value for a setting, right or wrong.
    func isGiven(_ path: PartialKeyPath<Root>) -> Bool { given.contains(path) }

    mutating func note(_ path: PartialKeyPath<Root>, _ origins: [SettingOrigin]) { self.origins[path] = origins }

    /// Notes the places of the items of a setting that is a list of mappings.
    mutating func notePlaces(_ name: String, _ places: [SettingOrigin]) { self.places[name] = places }

    /// - Parameters:
    ///   - path: The setting that a source has a value for.
    ///   - name: The setting's.
    ///   - places: The places of the values.
    mutating func noteGiven(_ path: PartialKeyPath<Root>, _ name: String, _ places: [SettingOrigin]) {
        given.insert(path)
        self.places[name] = places
    }
}

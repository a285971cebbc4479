/// A value in the making: what has been read of it, and where that was written.
struct SettingReading<Root: Configurable> {
    var value = Root()
    /// Where its section begins; nil where it has none.
    let origin: SettingOrigin?
    private var origins: [PartialKeyPath<Root>: [SettingOrigin]] = [:]
    private var given: Set<PartialKeyPath<Root>> = []
    /// Where settings were written, by name.
    private(set) var places: [String: [SettingOrigin]] = [:]

    init(origin: SettingOrigin?) {
        self.origin = origin
    }

    /// What a setting was read as, or its default; nil where it is wrong, or nothing.
    subscript<Value>(path: KeyPath<Root, Value>) -> Located<Value>? {
        origins[path]?.first.map { Located(value: value[keyPath: path], origin: $0) }
    }

    subscript<Value>(path: KeyPath<Root, Value?>) -> Located<Value>? {
        guard let value = value[keyPath: path], let origin = origins[path]?.first else { return nil }
        return Located(value: value, origin: origin)
    }

    /// What a list was read as, each value with where it was written.
    func elements<Value>(_ path: KeyPath<Root, [Value]>) -> [Located<Value>] {
        zip(value[keyPath: path], origins[path] ?? []).map(Located.init)
    }

    /// Whether any source says something of a setting, right or wrong.
    func isGiven(_ path: PartialKeyPath<Root>) -> Bool { given.contains(path) }

    mutating func note(_ path: PartialKeyPath<Root>, _ origins: [SettingOrigin]) { self.origins[path] = origins }

    /// Notes where the items of a setting were written that is a list of mappings.
    mutating func notePlaces(_ name: String, _ places: [SettingOrigin]) { self.places[name] = places }

    /// - Parameters:
    ///   - path: What a source says something of.
    ///   - name: The setting's.
    ///   - places: Where.
    mutating func noteGiven(_ path: PartialKeyPath<Root>, _ name: String, _ places: [SettingOrigin]) {
        given.insert(path)
        self.places[name] = places
    }
}

/// A value as text, with its place.
struct WrittenValue: Hashable {
    var text: String
    var origin: SettingOrigin
}

/// A parsed value, with its place.
struct Located<Value> {
    var value: Value
    var origin: SettingOrigin
}

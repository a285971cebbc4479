/// A value as text, and where it was written.
struct WrittenValue: Hashable {
    var text: String
    var origin: SettingOrigin
}

/// A value that has been understood, and where it was written.
struct Located<Value> {
    var value: Value
    var origin: SettingOrigin
}

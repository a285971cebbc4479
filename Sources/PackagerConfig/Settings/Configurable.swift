/// A type whose values are made from settings; as it begins, it has their defaults.
protocol Configurable: Sendable {
    init()

    /// The settings, in the order in which they are documented.
    static var settings: [BoundSetting<Self>] { get }
}

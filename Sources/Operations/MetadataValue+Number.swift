package import Logging

extension Logger.MetadataValue {
    /// A number, which JSON has as one.
    package static func number(_ value: Int) -> Self { .stringConvertible(value) }
}

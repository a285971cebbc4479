public import MediaCore

/// Tests name sources by their numbers.
extension SourceRank: ExpressibleByIntegerLiteral {
    public init(integerLiteral value: Int) { self.init(value) }
}

/// Tests name inputs by their numbers.
extension InputPosition: ExpressibleByIntegerLiteral {
    public init(integerLiteral value: Int) { self.init(value) }
}

/// Tests name tracks of inputs by their numbers.
extension InputTrackIndex: ExpressibleByIntegerLiteral {
    public init(integerLiteral value: Int) { self.init(value) }
}

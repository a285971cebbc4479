package import ContentProtection

/// A document of content protection information (DASH-IF CPIX 2.4): content keys, their use and periods, and their
/// signalling to players.
///
/// The document's own history and hierarchies of keys are left out.
package struct CPIXDocument: Hashable, Sendable {
    /// The name of the content that the keys protect.
    package var contentID: String?
    /// The version of the format: `2.4`.
    package var version: String?
    /// The recipients that content keys are encrypted for; none if they are in the clear.
    package var recipients: [Certificate] = []
    package var keys: [Key]
    package var systems: [DRMSystem]
    package var periods: [Period]
    package var usageRules: [UsageRule]

    package init(
        contentID: String?,
        version: String? = "2.4",
        keys: [Key],
        systems: [DRMSystem] = [],
        periods: [Period],
        usageRules: [UsageRule]
    ) {
        self.contentID = contentID
        self.version = version
        self.keys = keys
        self.systems = systems
        self.periods = periods
        self.usageRules = usageRules
    }
}

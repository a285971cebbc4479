/// The reasons why existing teletext pages cannot be read.
package enum TeletextFault: Hashable, Sendable, CaseIterable {
    /// Code words of the pages, or rows, have more errors than their codes correct.
    case damaged
    /// Rows come, but no header of another page ends the page.
    case unended
    /// Rows come, and the page ends, but nothing in it is to be shown.
    case notShown
    /// Headers come, and no row with text has ever come.
    case empty
}

/// Reasons why pages of teletext are there, and nothing of them can be read.
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

extension TeletextFault {
    /// The fault as a part of a sentence.
    package var reason: String {
        switch self {
        case .damaged: "code words have more errors than can be corrected (Hamming, parity)"
        case .unended: "rows come, but no header of another page ends them"
        case .notShown: "rows come, but nothing in them is to be shown"
        case .empty: "headers come, but no row with text"
        }
    }
}

import Foundation

/// A table of a page of the guide.
package struct GuideTable {
    /// The heading above it, without `#`.
    package var heading: String
    /// The names of its columns.
    package var columns: [String]
    package var rows: [Row]

    package struct Row {
        /// Counted from 1.
        package var line: Int
        package var cells: [String]

        /// The cell of a column; empty where the row has none.
        package subscript(index: Int) -> String { cells.indices.contains(index) ? cells[index] : "" }
    }

    /// Returns the tables of a page, in order.
    ///
    /// - Parameter page: The path of the page in the checkout.
    /// - Returns: The tables, in order.
    /// - Throws: An error if the page cannot be read.
    package static func all(in page: String) throws -> [GuideTable] {
        tables(in: try String(contentsOf: Repository.root.appending(path: page), encoding: .utf8))
    }

    /// Returns the tables of a text in Markdown, in order.
    package static func tables(in text: String) -> [GuideTable] {
        var tables: [GuideTable] = []
        var heading = ""
        var isInTable = false
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            guard line.hasPrefix("|") else {
                if line.hasPrefix("#") { heading = String(line.drop { $0 == "#" }.drop { $0 == " " }) }
                isInTable = false
                continue
            }
            let cells = cells(of: line)
            if !isInTable {
                tables.append(GuideTable(heading: heading, columns: cells, rows: []))
            } else if !cells.allSatisfy({ $0.allSatisfy { "-:".contains($0) } }) {
                tables[tables.count - 1].rows.append(Row(line: index + 1, cells: cells))
            }
            isInTable = true
        }
        return tables
    }

    /// Returns the texts that a cell has as code.
    package static func codes(in cell: String) -> [String] {
        let parts = cell.split(separator: "`", omittingEmptySubsequences: false)
        return parts.indices.filter { !$0.isMultiple(of: 2) }.map { String(parts[$0]) }
    }

    private static func cells(of line: Substring) -> [String] {
        let bar = "\u{1}"
        let inner = String(line).replacing("\\|", with: bar).dropFirst()
        return inner.split(separator: "|", omittingEmptySubsequences: false).dropLast().map {
            $0.replacing(bar, with: "|").trimmingCharacters(in: .whitespaces)
        }
    }
}

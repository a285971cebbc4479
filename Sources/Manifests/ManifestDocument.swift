import Yams

/// Writes nodes as YAML.
enum ManifestDocument {
    /// Returns the text of a document.
    static func text(of node: Node) -> String {
        do {
            // A node that was made here, or read, is never one that cannot be written.
            return try serialize(node: node, width: -1, allowUnicode: true)
        } catch {
            preconditionFailure("\(error)")
        }
    }
}

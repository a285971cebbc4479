import Foundation
import MediaCore
import NIOCore
import Yams

/// The written configuration of one channel: an item of `channels` in a configuration file.
package struct ChannelDocument: Hashable, Sendable {
    /// The name in its URLs, with the number of a program appended if the channel has several.
    package let name: String
    let tree: WrittenTree

    /// - Parameters:
    ///   - name: The channel's name.
    ///   - text: A mapping in JSON or YAML; `name` may be left out. Values in the form in which ``json`` masks those of
    ///     the former document keep their former values, secrets included.
    ///   - before: The channel's document so far; nil if there is none.
    /// - Throws: ``Invalid`` if the text is not a channel's document, or is another channel's.
    package init(name: String, text: String, replacing before: ChannelDocument? = nil) throws(Invalid) {
        let tree = try Self.tree(of: text).unmasked(by: before?.tree)
        try Self.check(tree)
        var entries = tree.entries ?? []
        if let given = entries.first(where: { $0.key == Self.nameKey }), given.value != .text(name) {
            throw Invalid("name: the channel is \(name), and keeps its name; leave it out, or give the same")
        }
        entries.removeAll { $0.key == Self.nameKey }
        self.init(name: name, tree: .mapping([.init(key: Self.nameKey, value: .text(name))] + entries))
    }

    init(name: String, tree: WrittenTree) {
        (self.name, self.tree) = (name, tree)
    }

    /// The reason why a text is no document.
    package struct Invalid: Error, Hashable {
        /// The problem, in one sentence.
        package let message: String

        init(_ message: String) { self.message = message }
    }

    static let nameKey = "name"

    /// Returns the document after a merge patch (RFC 7396).
    ///
    /// - Parameter patch: A mapping in JSON.
    /// - Returns: The document of the channel then.
    /// - Throws: ``Invalid`` if the result is not a channel's document, or has another name.
    package func patched(_ patch: String) throws(Invalid) -> ChannelDocument {
        let merged = tree.merged(with: try Self.tree(of: patch).unmasked(by: tree))
        try Self.check(merged)
        guard merged.entries?.first(where: { $0.key == Self.nameKey })?.value == .text(name) else {
            throw Invalid("name: the channel is \(name), and keeps its name")
        }
        return ChannelDocument(name: name, tree: merged)
    }

    private static func check(_ tree: WrittenTree) throws(Invalid) {
        // Only masked secrets contain the mark.
        guard tree.texts.contains(where: { $0.contains(SecretMask.mark) && SecretMask.secrets(of: $0) != [] }) else {
            return
        }
        throw Invalid("\(SecretMask.mark) stands for a secret that is not known here; write the secret")
    }

    private static func tree(of text: String) throws(Invalid) -> WrittenTree {
        let node: Node?
        do { node = try compose(yaml: text) } catch {
            let problem = ConfigurationProblem(yamlError: error, file: ConfigurationFile(name: "", text: text))
            guard case .syntax(_, let line, let column) = problem.origin else { throw Invalid(problem.message) }
            throw Invalid("line \(line), column \(column): \(problem.message)")
        }
        guard let node, node.mapping != nil else {
            throw Invalid(
                "a mapping of settings with their values is expected, like {\"input\": \"udp://239.0.0.1:5000\"}"
            )
        }
        guard let tree = WrittenTree(node) else { throw Invalid("this has more than the settings of a channel") }
        return tree
    }

    /// The document in JSON, keys sorted, without secrets.
    package var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // It has only texts, lists and mappings, which JSON can express.
        let bytes = (try? encoder.encode(tree.masked)) ?? Data("{}".utf8)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns a strong entity tag with its quotes, which identifies this document within the process.
    ///
    /// - Parameter salt: A number of the process, so that secrets cannot be guessed by trying.
    /// - Returns: The tag.
    package func entityTag(salt: UInt64) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let bytes = (try? encoder.encode(tree)) ?? Data()
        var buffer = ByteBuffer(integer: salt)
        buffer.writeBytes(bytes)
        return "\"\(ContentHash.whole(of: buffer))\""
    }
}

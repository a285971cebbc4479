import MediaCore
import PackagerConfig
import Yams

/// The places of a configuration's files and directories in a pod.
///
/// A pod has the files of its image (`/usr`), a volume of its own, and the files of a Secret. Files that the packager
/// reads again while it runs are where the Secret is mounted. All others are copied when the pod starts: a mounted
/// file can be read by a group, and a secret that anyone but its owner may read is refused.
struct PodFiles {
    /// The directory of the volume.
    static let volume = "/var/lib/packager"
    /// The mount point of the Secret.
    static let mounted = "/etc/packager-secrets"
    /// The directory of the copies, in memory.
    static let copied = "/run/packager-secrets"

    /// The things that some settings need in a pod.
    struct Use: Hashable {
        /// The keys of the Secret that are mounted.
        var mounted: Set<String> = []
        /// The keys of the Secret that are copied.
        var copied: Set<String> = []
        var needsVolume = false

        mutating func formUnion(_ other: Use) {
            mounted.formUnion(other.mounted)
            copied.formUnion(other.copied)
            needsVolume = needsVolume || other.needsVolume
        }
    }

    private(set) var problems: [ConfigurationProblem] = []
    /// The original paths of the files of the Secret, by their keys.
    private(set) var secrets: [String: String] = [:]
    private let file: String

    /// - Parameter file: The name of the configuration file, for messages.
    init(file: String) {
        self.file = file
    }

    /// The settings whose files are looked at again and again.
    private static let followed: Set = [
        "tls-certificate", "tls-private-key", "control-certificate", "control-private-key", "control-client-authority",
        "control-tokens", "keys-certificate", "keys-private-key", "token-keys",
    ]

    /// The settings whose files are no secrets and may be large.
    private static let plain: Set = ["slate", "localized-names", "fairplay-provider", "source"]

    /// Moves the files that settings name.
    ///
    /// - Parameters:
    ///   - entries: The settings of the file.
    ///   - path: The key path above them.
    /// - Returns: The settings of a packager in a pod, and the files that they use.
    mutating func move(_ entries: [WrittenFile.Entry], at path: String) -> ([WrittenFile.Entry], Use) {
        var use = Use()
        let settings = Setting.ofProcess + Setting.ofChannel
        return (moved(entries, at: path, settings, &use), use)
    }

    private mutating func moved(
        _ entries: [WrittenFile.Entry],
        at path: String,
        _ settings: [Setting],
        _ use: inout Use
    ) -> [WrittenFile.Entry] {
        var moved: [WrittenFile.Entry] = []
        for entry in entries {
            guard let setting = settings.first(where: { $0.name == entry.key }) else { continue }
            moved.append((entry.key, self.moved(entry.value, of: setting, at: path + entry.key, &use)))
        }
        return moved
    }

    private mutating func moved(_ node: Node, of setting: Setting, at path: String, _ use: inout Use) -> Node {
        switch node {
        case .sequence(let list):
            var items: [Node] = []
            for (index, item) in list.enumerated() {
                items.append(moved(item, of: setting, at: "\(path)[\(index)]", &use))
            }
            return Node(items, .implicit, list.style)
        case .mapping(let mapping):
            let entries = moved(WrittenFile.entries(of: node), at: path + ".", setting.fields ?? [], &use)
            return Node(entries, style: mapping.style)
        case .scalar(let scalar):
            let origin = SettingOrigin.file(name: file, line: scalar.mark?.line ?? 1, path: path)
            let text = place(of: scalar.string, setting, at: origin, &use)
            return Node(text, .implicit, scalar.style)
        case .alias: return node
        }
    }

    /// Returns the value of a setting in a pod, and reports one that no pod can have.
    private mutating func place(
        of text: String,
        _ setting: Setting,
        at origin: SettingOrigin,
        _ use: inout Use
    ) -> String {
        // Feeds are checked by themselves: they may come from the Secret.
        if ["input", "backup", "peer"].contains(setting.name) { return text }
        if setting.name == "key-source", text.hasPrefix("file:") || text.hasPrefix("cpix:") && !text.contains("://") {
            report(origin, Self.keyFile)
        } else if setting.name == "ads", text.hasPrefix("files:") || text.hasPrefix("command:") {
            let path = text.drop { $0 != ":" }.dropFirst().prefix { $0 != " " }
            checkPublic(String(path), at: origin, &use)
        } else if Self.hasSecret(text) {
            report(origin, "everybody who may read a ConfigMap would see the secret in '\(SecretMask.masked(text))'")
        }
        guard setting.syntax.isPath, text != "-", !text.contains("://") else { return text }
        if setting.syntax.unit == "dir" || setting.name == "access-log" {
            checkVolume(text, at: origin, &use)
            return text
        }
        if Self.plain.contains(setting.name) {
            checkPublic(text, at: origin, &use)
            return text
        }
        return secret(text, isFollowed: Self.followed.contains(setting.name), at: origin, &use)
    }

    /// Returns true if a text has a secret in it; a placeholder (`{duration}`) is not one.
    private static func hasSecret(_ text: String) -> Bool {
        SecretMask.secrets(of: text).contains { !$0.hasPrefix("{") || !$0.hasSuffix("}") }
    }

    private static let keyFile =
        "a key file is read again for each period, but the copy in a pod never changes; "
        + "let keys be derived, or come from cpix:URL or speke:URL"

    private mutating func checkVolume(_ path: String, at origin: SettingOrigin, _ use: inout Use) {
        if Self.isBelow(Self.volume, path) {
            use.needsVolume = true
        } else {
            report(origin, "a pod has no directories of this machine: '\(path)' must be below \(Self.volume)")
        }
    }

    private mutating func checkPublic(_ path: String, at origin: SettingOrigin, _ use: inout Use) {
        if Self.isBelow(Self.volume, path) {
            use.needsVolume = true
        } else if !Self.isBelow("/usr", path) {
            report(
                origin,
                "a pod has no files of this machine: put '\(path)' into an image of your own, below /usr/share/packager"
            )
        }
    }

    private mutating func secret(
        _ path: String,
        isFollowed: Bool,
        at origin: SettingOrigin,
        _ use: inout Use
    ) -> String {
        let name = path.split(separator: "/").last.map(String.init) ?? ""
        let isKey = name.utf8.count <= 253 && name.wholeMatch(of: /[A-Za-z0-9_-][A-Za-z0-9._-]*/) != nil
        guard isKey, path.utf8.allSatisfy({ $0 >= 0x20 }) else {
            report(origin, "'\(name)' cannot be a key of a Secret; it has letters, digits, '.', '_' and '-'")
            return path
        }
        if let other = secrets.updateValue(path, forKey: name), other != path {
            report(
                origin,
                "'\(other)' is called \(name) too, but names in a Secret must differ; rename one of the files"
            )
        }
        if isFollowed { use.mounted.insert(name) } else { use.copied.insert(name) }
        return "\(isFollowed ? Self.mounted : Self.copied)/\(name)"
    }

    private static func isBelow(_ directory: String, _ path: String) -> Bool {
        let parts = path.split(separator: "/")
        return path.hasPrefix("/") && !parts.contains("..") && parts.starts(with: directory.split(separator: "/"))
    }

    private mutating func report(_ origin: SettingOrigin, _ message: String) {
        problems.append(ConfigurationProblem(origin: origin, message: message))
    }
}

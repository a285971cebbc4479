import MediaCore

extension WrittenTree {
    /// The same as anybody may read it.
    var masked: WrittenTree { mapTexts(SecretMask.masked) }

    /// The same with the secrets of another tree where a text is as that shows it: at the same place, or at only one.
    func unmasked(by other: WrittenTree?) -> WrittenTree {
        guard let other else { return self }
        switch self {
        case .none: return self
        case .text(let text):
            guard text.contains(SecretMask.mark) else { return self }
            let originals = Set(other.texts.filter { SecretMask.masked($0) == text })
            return originals.count == 1 ? .text(originals.first ?? text) : self
        case .list(let list):
            guard case .list(let others) = other else { return .list(list.map { $0.unmasked(by: other) }) }
            return .list(
                list.enumerated().map { index, element in
                    let twin = others.indices.contains(index) ? others[index] : .none
                    return element.masked == twin.masked ? element.unmasked(by: twin) : element.unmasked(by: other)
                }
            )
        case .mapping(let entries):
            return .mapping(
                entries.map { entry in
                    // A mapping in a list is compared with all of that list.
                    let twin = other.entries.map { $0.first { $0.key == entry.key }?.value ?? .none } ?? other
                    return Entry(key: entry.key, value: entry.value.unmasked(by: twin))
                }
            )
        }
    }
}

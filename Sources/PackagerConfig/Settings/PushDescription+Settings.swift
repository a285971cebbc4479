import MediaCore

extension PushDescription: Configurable {
    static let settings: [BoundSetting<PushDescription>] = [
        BoundSetting("url", \.url, .pushURL, api: .server) {
            "s3://BUCKET/PREFIX, or a URL of http or https below which objects are sent by PUT and removed by DELETE."
        },
        BoundSetting("endpoint", \.endpoint, SettingType.baseURL.optional, api: .server) {
            "URL of the store that has the bucket; without it Amazon's of the region."
        },
        BoundSetting("region", \.region, SettingType.region.optional, api: .open) {
            "Region that requests are signed for; without it AWS_REGION of the environment, or us-east-1."
        },
        BoundSetting("addressing", \.addressing, .choice, api: .open) {
            "Place of the bucket in URLs: path, host, or automatic, which is host at Amazon and path with an endpoint."
        },
        BoundSetting("credentials", \.credentialsFile, SettingType.file.optional, api: .path) {
            """
            File that only its owner may read: of a bucket as AWS's programs keep it (aws_access_key_id,
            aws_secret_access_key), of a server with header fields, each on a line. A bucket without it takes the keys
            of the environment, or of the role of the machine.
            """
        },
        BoundSetting("authority", \.authorityFile, SettingType.file.optional, api: .path) {
            "File with certificates, in PEM, of the authorities that must have signed that of the store."
        },
        BoundSetting("expired", \.expired, .choice, api: .open) {
            "What becomes of segments that no player can want any more: delete, or keep for a rule of the store."
        },
        BoundSetting("backlog", \.backlog, .bytes(16 << 20...1 << 40), api: .open) {
            "Space in the state directory for segments that are kept and cannot be sent while the origin has them."
        },
        BoundSetting("rate", \.rate, SettingType.bitRate.optional, api: .open) {
            """
            Bits that are sent there in a second, on average, from 1k to 10000M in powers of 1000: a store that gets what it has
            missed leaves room for feeds. It has to be more than the channel has; without it nothing is held back.
            """
        },
        BoundSetting("recordings", \.sendsRecordings, .boolean, api: .open) {
            """
            True if finished recordings are sent there as well, below recordings/ID, and deleted there when they are
            removed here. It needs record.
            """
        },
    ]
}

extension SettingType where Value == String {
    static let pushURL = SettingType(SettingValue.pushURL, SettingSyntax(unit: "url")) { $0.isEmpty ? nil : $0 }
    static let region = SettingType(SettingValue.region, SettingSyntax(unit: "name")) { $0 }
}

extension SettingValue {
    /// Reads a bucket with a folder in it, or a server that paths are appended to.
    static func pushURL(_ text: String) throws(Invalid) -> String {
        guard text.lowercased().hasPrefix(PushDescription.bucketScheme) else {
            guard text.lowercased().hasPrefix("http") else {
                throw Invalid(
                    "'\(text)' is no destination; write it like s3://bucket/live or https://cdn.example.com/live"
                )
            }
            return try baseURL(text)
        }
        let path = text.dropFirst(PushDescription.bucketScheme.count)
        if let option = path.firstIndex(of: "?") {
            throw Invalid(
                "'\(path[option...])' has something else than \(optionNames); write them like ?region=eu-central-1&expired=keep"
            )
        }
        let parts = path.split(separator: "/")
        let isPlain = parts.dropFirst().allSatisfy { part in
            part != "." && part != ".." && part.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "._-".contains($0) }
        }
        guard let bucket = parts.first, !path.hasPrefix("/"), isPlain,
            bucket.wholeMatch(of: /[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]/) != nil
        else {
            throw Invalid(
                "'\(text)' is no bucket; write s3://BUCKET or s3://BUCKET/PREFIX, in letters, digits, '.', '_' and '-'"
            )
        }
        return PushDescription.bucketScheme + parts.joined(separator: "/")
    }

    private static var optionNames: String {
        PushDescription.settings.map(\.declaration.name).filter { $0 != "url" }.joined(separator: ", ")
    }

    /// Reads the name of a region, which stands in a host's.
    static func region(_ text: String) throws(Invalid) -> String {
        guard text.wholeMatch(of: /[a-z0-9][a-z0-9-]{0,62}/) != nil else {
            throw Invalid("'\(text)' is no region; it has small letters, digits and '-', like eu-central-1")
        }
        return text
    }
}

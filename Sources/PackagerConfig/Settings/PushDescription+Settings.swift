import MediaCore

extension PushDescription: Configurable {
    static let settings: [BoundSetting<PushDescription>] = [
        BoundSetting("url", \.url, .pushURL, api: .server) {
            "s3://BUCKET/PREFIX, or an http or https URL; objects below it are sent by PUT and removed by DELETE."
        },
        BoundSetting("endpoint", \.endpoint, SettingType.baseURL.optional, api: .server) {
            "URL of the store that has the bucket; by default Amazon's in the region."
        },
        BoundSetting("region", \.region, SettingType.region.optional, api: .open) {
            "Region for the signature of requests; by default AWS_REGION of the environment, or us-east-1."
        },
        BoundSetting("addressing", \.addressing, .choice, api: .open) {
            "Place of the bucket in URLs: path, host, or automatic, which is host at Amazon and path with an endpoint."
        },
        BoundSetting("credentials", \.credentialsFile, SettingType.file.optional, api: .path) {
            """
            File that only its owner may read. For a bucket it has the access key, as in files of the AWS programs
            (aws_access_key_id, aws_secret_access_key); for a server, header fields, each on a line. Without it, a
            bucket uses the keys of the environment, or of the role of the machine.
            """
        },
        BoundSetting("authority", \.authorityFile, SettingType.file.optional, api: .path) {
            "File with the certificates, in PEM, of the authorities to trust for the store."
        },
        BoundSetting("expired", \.expired, .choice, api: .open) {
            "Treatment of segments that no player needs any more: delete, or keep (for a lifecycle rule of the store)."
        },
        BoundSetting("backlog", \.backlog, .bytes(16 << 20...1 << 40), api: .open) {
            "Space in the state directory for segments that the store has missed, with expired: keep."
        },
        BoundSetting("rate", \.rate, SettingType.bitRate.optional, api: .open) {
            """
            Average bit rate of uploads, from 1k to 10000M in powers of 1000, which leaves bandwidth for feeds when the
            store catches up. It must be higher than the bit rate of the channel; by default there is no limit.
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
                    "'\(text)' is not a destination; write it like s3://bucket/live or https://cdn.example.com/live"
                )
            }
            return try baseURL(text)
        }
        let path = text.dropFirst(PushDescription.bucketScheme.count)
        if let option = path.firstIndex(of: "?") {
            throw Invalid(
                "'\(path[option...])' may only have \(optionNames); write them like ?region=eu-central-1&expired=keep"
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
                "'\(text)' is not a bucket; write s3://BUCKET or s3://BUCKET/PREFIX, in letters, digits, '.', '_' and '-'"
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
            throw Invalid("'\(text)' is not a region; it has small letters, digits and '-', like eu-central-1")
        }
        return text
    }
}

import MediaCore

extension Configuration {
    /// Settings about the storage of events and about webhooks.
    static let eventSettings: [BoundSetting<Configuration>] = [
        BoundSetting("event-retention", \.eventRetention, .days(1...3650)) {
            """
            Days for which events are kept and listed by /events.

            They are in events.sqlite in the state directory; if channels have different ones, in that of the first
            channel with one. A reload or an upgrade to another directory copies them. Without a state directory, memory
            keeps the latest thousand.
            """
        },
        BoundSetting("event-storage", \.eventStorage, .bytes(16 << 20...1 << 40)) {
            "Disk space for events; beyond it, the oldest are removed."
        },
        BoundSetting(
            "webhooks",
            \.webhooks,
            listOf: "webhook",
            like: "{url: \"https://alerts.example.com/packager\"}",
            example: """

                  - { url: "https://alerts.example.com/packager", events: [input-lost, gap, filler], secret-file: /etc/packager/hook.key }
                """,
            isOfOneChannel: false,
            unit: "url",
            short: WebhookDescription.layer,
            check: { $0.checkWebhooks($1) }
        ) {
            """
            Addresses that get events by POST, each as JSON like those of /events.

            A flag or a line in the environment has the address. An event that is not answered with 2xx is posted again
            for a day, in order; redirects are not followed. With a secret, X-Packager-Signature is sha256= and the
            HMAC-SHA256 of X-Packager-Timestamp, a dot and the body, in hexadecimal digits.
            """
        },
    ]
}

extension ConfigurationReader {
    mutating func checkWebhooks(_ hooks: [SettingReading<WebhookDescription>]) {
        var taken: Set<String> = []
        for hook in hooks {
            guard let url = hook[\.url], !url.value.isEmpty else {
                if let origin = hook.origin, !hook.isGiven(\.url) {
                    report(origin, "there is no url; write it like 'url: https://alerts.example.com/packager'")
                }
                continue
            }
            // The URL identifies the progress of each.
            if !taken.insert(url.value).inserted { report(url.origin, "another webhook has this url already") }
            if let file = hook[\.secretFile], hook.isGiven(\.secretVariable) {
                report(file.origin, "a webhook has either secret-file or secret-variable")
            }
        }
    }
}

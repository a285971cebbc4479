import MediaCore

/// Checks of the destinations that a channel is sent to.
extension ConfigurationReader {
    /// Each has requests and memory of its own.
    private static let mostDestinations = 8

    mutating func checkPush(_ destinations: [SettingReading<PushDescription>]) {
        if destinations.count > Self.mostDestinations, let origin = destinations.last?.origin {
            report(origin, "there are \(destinations.count) destinations; allowed are \(Self.mostDestinations)")
        }
        for destination in destinations {
            guard let url = destination[\.url], !url.value.isEmpty else {
                if let origin = destination.origin, !destination.isGiven(\.url) {
                    report(origin, "there is no url; write it like 'url: s3://bucket/live'")
                }
                continue
            }
            if let other = takenDestinations.updateValue(url.origin, forKey: destination.value.place) {
                report(url.origin, ChannelConfiguration.takenDestination(url.value, by: other))
            }
            guard destination.value.bucket == nil else { continue }
            let ofBuckets: [SettingOrigin?] = [
                destination.isGiven(\.endpoint) ? destination[\.endpoint]?.origin : nil,
                destination.isGiven(\.region) ? destination[\.region]?.origin : nil,
                destination.isGiven(\.addressing) ? destination[\.addressing]?.origin : nil,
            ]
            for origin in ofBuckets.compactMap(\.self) {
                report(origin, "only buckets have this; give url as s3://BUCKET/PREFIX")
            }
        }
    }

    /// Checks that the things to send exist, and warns of those that cannot be played or kept.
    mutating func checkPushes(_ channel: ChannelConfiguration) {
        // Of several programs, each has a folder there.
        for (destination, suffix) in channel.push.flatMap({ one in channel.partSuffixes.map { (one, $0) } }) {
            guard let origin = takenDestinations[destination.place] else { continue }
            var part = destination
            part.url += suffix
            guard let other = takenDestinations.updateValue(origin, forKey: part.place) else { continue }
            report(origin, ChannelConfiguration.takenDestination(part.url, by: other))
        }
        if channel.recording.directory == nil, let destination = channel.push.first(where: \.sendsRecordings),
            let origin = takenDestinations[destination.place]
        {
            report(origin, "there are no recordings to send, because nothing is recorded; set record as well")
        }
        guard let first = channel.push.first, let origin = takenDestinations[first.place] else { return }
        if channel.encryption != .none, channel.keySystems.contains(.identity) {
            warn(
                origin,
                "keys are not sent: to play the playlists there, set key-url, or route keys/ to the origin"
            )
        }
        if channel.state == nil, channel.push.contains(where: { $0.expired == .keep }) {
            warn(
                origin,
                "segments are lost while the store cannot be reached, because there is no directory to keep them; set state"
            )
        }
    }
}

extension PushDescription {
    /// The place that no two destinations may share.
    var place: String { "\(endpoint?.lowercased() ?? "") \(url)" }
}

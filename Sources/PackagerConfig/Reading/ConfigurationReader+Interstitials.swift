import MediaCore

extension ConfigurationReader {
    mutating func checkInterstitials(_ templates: [SettingReading<InterstitialTemplate>]) {
        interstitialOfOrigin = templates.first { !$0.isGiven(\.asset) && !$0.isGiven(\.assetList) }?.origin
        for template in templates {
            if let asset = template[\.asset], template.isGiven(\.assetList) {
                // RFC 8216bis § D.2
                report(asset.origin, "an interstitial has either asset or asset-list")
            }
            if let duration = template[\.skipDuration], template.value.skipOffset == nil {
                report(duration.origin, "set skip-offset as well, the time when the button appears")
            }
        }
    }

    mutating func checkAds(_ reading: SettingReading<ChannelConfiguration>) {
        let channel = reading.value
        if let origin = interstitialOfOrigin, !reading.isGiven(\.ads.source) {
            report(origin, "there is neither asset nor asset-list; set one, or set ads so that the origin answers")
        }
        if let output = reading[\.output],
            channel.interstitials.contains(where: { $0.asset == nil && $0.assetList == nil })
        {
            warn(
                output.origin,
                "players of the files ask for ads/ beside them, which only the origin answers: route these requests there, "
                    + "or give interstitials an asset-list"
            )
        }
        if channel.splices.markers == .none, !channel.interstitials.isEmpty, let markers = reading[\.splices.markers] {
            report(markers.origin, "interstitials need the breaks of the feed; set scte35 to ads or passthrough")
        }
    }
}

extension ConfigurationReader {
    /// Checks that the settings about the delivery of keys go together.
    mutating func checkDelivery(_ reading: SettingReading<Configuration>) {
        checkTokens(reading)
        checkMediaTokens(reading)
        checkVariables(reading)
        checkCertificate(reading)
        checkFairPlay(reading)
    }

    private mutating func checkTokens(_ reading: SettingReading<Configuration>) {
        guard !reading.isGiven(\.tokenKeys) else { return }
        for claim in [reading[\.tokenAudience], reading[\.tokenIssuer]] {
            if let claim { report(claim.origin, "no token is required; set token-keys") }
        }
    }

    private mutating func checkMediaTokens(_ reading: SettingReading<Configuration>) {
        if let media = reading[\.tokenMedia], media.value != .off {
            if !reading.isGiven(\.tokenKeys) { report(media.origin, "tokens cannot be verified; set token-keys") }
            if !reading.isGiven(\.tokenMediaSecret) {
                report(media.origin, "passes cannot be signed; set token-media-secret")
            }
        } else if let secret = reading[\.tokenMediaSecret] {
            report(secret.origin, "there are no passes to sign; set token-media")
        }
    }

    private mutating func checkVariables(_ reading: SettingReading<Configuration>) {
        guard let variables = reading[\.usesPlaylistVariables], variables.value else { return }
        if !reading.isGiven(\.keyURL), !reading.isGiven(\.tokenKeys) {
            report(variables.origin, "there is nothing to define; set key-url, token-keys or both")
        }
        if let parameter = reading[\.tokenParameter], parameter.value == "key-url" {
            // RFC 8216bis § 4.4.2.3: names are unique.
            report(parameter.origin, "the variable of the key-url is called 'key-url' already")
        }
    }

    private mutating func checkCertificate(_ reading: SettingReading<Configuration>) {
        let (certificate, key) = (reading[\.keysCertificate], reading[\.keysPrivateKey])
        checkPair("keys", certificate, key)
        if let given = certificate ?? key, !reading.isGiven(\.keysListen) {
            report(given.origin, "no listener uses it; set keys-listen")
        }
    }

    private mutating func checkFairPlay(_ reading: SettingReading<Configuration>) {
        let certificates = reading.elements(\.fairPlayCertificates)
        let keys = reading.elements(\.fairPlayPrivateKeys)
        let provisioning = reading.elements(\.fairPlayProvisioning)
        if let given = (certificates + keys + provisioning).first, !reading.isGiven(\.fairPlayProvider) {
            report(given.origin, "there is no plug-in; set fairplay-provider")
        }
        if let provider = reading[\.fairPlayProvider], certificates.isEmpty {
            report(provider.origin, "there is no certificate to use it with; set fairplay-certificate")
        }
        if keys.count != certificates.count, let origin = (certificates + keys).first?.origin {
            report(origin, "give as many fairplay-private-key as fairplay-certificate")
        }
        if !provisioning.isEmpty, provisioning.count != certificates.count {
            report(provisioning[0].origin, "give as many fairplay-provisioning as fairplay-certificate")
        }
    }
}

extension ConfigurationReader {
    /// Checks that the settings of encryption and of the clients of the control API go together.
    mutating func checkSecurity(_ reading: SettingReading<Configuration>) {
        checkPair("tls", reading[\.certificate], reading[\.privateKey])
        checkPair("control", reading[\.controlCertificate], reading[\.controlPrivateKey])
        let isEncrypted = reading.isGiven(\.certificate) || reading.isGiven(\.controlCertificate)
        if let authority = reading[\.controlClientAuthority], !isEncrypted {
            report(
                authority.origin,
                "clients show certificates over TLS only; give tls-certificate or control-certificate"
            )
        }
        guard let address = reading[\.control], !address.value.isLoopback else { return }
        if !reading.isGiven(\.controlTokens), !reading.isGiven(\.controlClientAuthority) {
            warn(
                address.origin,
                "every client that reaches \(address.value) may select inputs, post cues and delete recordings, and only clients "
                    + "on this machine may change channels; give control-tokens or control-client-authority, or listen on "
                    + "127.0.0.1"
            )
        } else if let tokens = reading[\.controlTokens], !isEncrypted {
            warn(
                tokens.origin,
                "tokens cross the network to \(address.value) in the clear; give tls-certificate, or let a proxy encrypt them"
            )
        }
    }

    /// Checks that a certificate has its key.
    ///
    /// - Parameters:
    ///   - name: The beginning of the names of both settings.
    ///   - certificate: The certificate, as it is configured.
    ///   - privateKey: The private key, as it is configured.
    mutating func checkPair(_ name: String, _ certificate: Located<String>?, _ privateKey: Located<String>?) {
        guard let lone = certificate ?? privateKey, certificate == nil || privateKey == nil else { return }
        report(lone.origin, "\(name)-certificate and \(name)-private-key go together")
    }
}

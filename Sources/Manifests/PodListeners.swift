import PackagerConfig

/// The addresses that the packager of a pod listens at.
struct PodListeners: Hashable {
    struct Listener: Hashable {
        var host: String
        var port: Int
        var isSecure: Bool

        /// The address in the form of a configuration.
        var address: String { "\(ListenAddress(host: host, port: port))" }

        var scheme: String { isSecure ? "https" : "http" }
    }

    var media: Listener
    var control: Listener
    /// The listener for keys; nil if players get keys and media from one.
    var keys: Listener?

    /// Takes the configured addresses; a default of the machine's own address becomes all addresses of the pod.
    init(_ configuration: Configuration) {
        func listener(_ address: ListenAddress, _ certificate: String?) -> Listener {
            let isWide = ["", "::"].contains(address.host)
            return Listener(host: isWide ? "::" : "0.0.0.0", port: address.port, isSecure: certificate != nil)
        }
        media = listener(configuration.listen, configuration.certificate)
        control = listener(configuration.control, configuration.controlCertificate ?? configuration.certificate)
        keys = configuration.keysListen.map {
            listener($0, configuration.keysCertificate ?? configuration.certificate)
        }
    }
}

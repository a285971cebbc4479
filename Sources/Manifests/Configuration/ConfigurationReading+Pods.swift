import MediaCore
import PackagerConfig

extension ConfigurationReading {
    /// The settings that cannot work in pairs of pods, besides the places of files.
    func problemsInPods(_ options: KubernetesOptions) -> [ConfigurationProblem] {
        listenerProblems + accessProblems(options) + configuration.channels.flatMap { problems(of: $0) }
    }

    private var listenerProblems: [ConfigurationProblem] {
        let listeners: [(String, ListenAddress?)] = [
            ("listen", configuration.listen), ("control", configuration.control),
            ("keys-listen", configuration.keysListen),
        ]
        return listeners.flatMap { name, address -> [ConfigurationProblem] in
            guard let address, isWritten(name) else { return [] }
            if !["", "0.0.0.0", "::"].contains(address.host) {
                let wide = "0.0.0.0:\(address.port)"
                return [problem(name, "nothing outside the pod can reach \(address): write \(wide), or leave it out")]
            }
            if address.port < 1024 {
                return [
                    problem(name, "an unprivileged pod needs a port from 1024 up, which its Service also knows")
                ]
            }
            return []
        }
    }

    private func accessProblems(_ options: KubernetesOptions) -> [ConfigurationProblem] {
        var problems: [ConfigurationProblem] = []
        if options.isMonitored, configuration.controlClientAuthority != nil, configuration.controlTokens == nil {
            let message =
                "Prometheus has no client certificate; set control-tokens as well, or use --no-service-monitor"
            problems.append(problem("control-client-authority", message))
        }
        if options.routing != nil, configuration.certificate != nil {
            let message = "a Gateway or an Ingress speaks HTTP to pods: give it the certificate, and leave this out"
            problems.append(problem("tls-certificate", message))
        }
        if options.routing != nil, configuration.tokenMedia == .path {
            let message = "a Gateway or an Ingress has no route to the channel of a pass in the path; write cookie"
            problems.append(problem("token-media", message))
        }
        return problems
    }

    private func problems(of channel: ChannelConfiguration) -> [ConfigurationProblem] {
        var problems =
            feedProblems("input", channel.inputs, of: channel) + feedProblems("backup", channel.backups, of: channel)
        if channel.clock == .arrival {
            let message =
                "with 'arrival' two pods publish two different streams under one address; write pts or timecode"
            problems.append(problem("clock", ofChannel: channel.name, message))
        }
        if channel.encryption != .none {
            switch channel.keySecret {
            case .file: break
            case .createdFile, .memory:
                let message =
                    "each pod would make its own master secret, and viewers of one would lack the keys of the other; "
                    + "set key-secret"
                problems.append(problem("encryption", ofChannel: channel.name, message))
            }
        }
        return problems
    }

    private func feedProblems(
        _ name: String,
        _ feeds: [FeedLocation],
        of channel: ChannelConfiguration
    ) -> [ConfigurationProblem] {
        feeds.enumerated().compactMap { index, feed in
            feed.problemInPods.map { problem(name, ofChannel: channel.name, at: index, $0) }
        }
    }
}

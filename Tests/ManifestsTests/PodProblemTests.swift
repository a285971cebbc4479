import PackagerConfig
import Testing

@testable import Manifests

/// Settings that cannot work in pods are said with their places, all at once.
@Suite struct PodProblemTests {
    private func problems(
        _ text: String,
        _ options: KubernetesOptions = KubernetesOptions(image: "packager")
    ) throws -> [String] {
        do {
            _ = try FleetCase.manifests(ConfigurationFile(name: "p.yaml", text: text), options)
            return []
        } catch let error as ConfigurationProblems {
            return error.problems.map(\.description)
        }
    }

    private func expect(_ text: String, _ starts: [String], _ options: KubernetesOptions? = nil) throws {
        let found = try problems(text, options ?? KubernetesOptions(image: "packager"))
        #expect(found.count == starts.count, "\(found)")
        for start in starts {
            #expect(found.contains { $0.hasPrefix(start) }, "\(start) in \(found)")
        }
    }

    @Test func listenersMustNotNameAddressesOfTheMachine() throws {
        try expect(
            """
            listen: 127.0.0.1:8080
            control: localhost:8081
            keys-listen: 192.0.2.1:8443
            clock: pts
            input: https://encoder.example.com/a.ts
            """,
            [
                "p.yaml:1: listen: nothing outside the pod can reach 127.0.0.1:8080: write 0.0.0.0:8080, or leave it out",
                "p.yaml:2: control: nothing", "p.yaml:3: keys-listen: nothing",
            ]
        )
        try expect("listen: 0.0.0.0:80\nclock: pts\ninput: https://a/a.ts", ["p.yaml:1: listen: an unprivileged pod"])
    }

    @Test func pathsThatAPodLacksAreProblems() throws {
        try expect(
            """
            access-log: /var/log/packager/access.log
            clock: pts
            encryption: sample-aes
            key-secret: /etc/packager/master.key
            channels:
              - name: news
                input: https://encoder.example.com/news.ts
                state: /srv/state
                slate: slate.ts
                output: /var/lib/packager/../news
              - name: sport
                input: https://encoder.example.com/sport.ts
                key-secret: /etc/sport/master.key
                key-source: cpix:/etc/packager/keys.xml
                ads: files:/srv/ads
                subtitles:
                  - { language: en, source: en.vtt }
            """,
            [
                "p.yaml:1: access-log: a pod has no directories of this machine",
                "p.yaml:8: channels[0].state: a pod has no directories of this machine",
                "p.yaml:9: channels[0].slate: a pod has no files of this machine",
                "p.yaml:10: channels[0].output: a pod has no directories of this machine",
                "p.yaml:13: channels[1].key-secret: '/etc/packager/master.key' is called master.key too",
                "p.yaml:14: channels[1].key-source: a key file",
                "p.yaml:15: channels[1].ads: a pod has no files of this machine",
                "p.yaml:17: channels[1].subtitles[0].source: a pod has no files of this machine",
            ]
        )
    }

    @Test func pathsThatAPodHasAreNoProblems() throws {
        try expect(
            """
            access-log: "-"
            clock: pts
            state: /var/lib/packager
            slate: /usr/share/packager/slate.ts
            ads: "vast:https://ads.example.com/vast?duration={duration}"
            output: /var/lib/packager/out
            input: srt://0.0.0.0:9000?mode=listener
            subtitles: [{ language: en, source: "https://captions.example.com/en.vtt" }]
            """,
            []
        )
    }

    /// Feeds, and how their problem begins; nil if there is none.
    @Test(
        arguments: [
            ("film.ts", "a pod has no files of this machine"), ("-", "a pod has no standard input"),
            ("udp://239.0.0.1:5000", "multicast does not reach pods"),
            ("udp://127.0.0.1:5000", "no pod has the address 127.0.0.1"),
            ("udp://10.0.0.1:5000", "no pod has the address 10.0.0.1"), ("rtmp://0.0.0.0/live/a", nil),
            ("https://127.0.0.1/a.ts", "127.0.0.1 is the pod itself"), ("udp://0.0.0.0:500", "an unprivileged pod"),
            ("udp://@:5000", nil), ("srt://encoder.example.com:9000", nil),
        ] as [(String, String?)]
    )
    func feedsMustReachAPod(location: String, problem: String?) throws {
        let options = KubernetesOptions(image: "packager", groupSize: 1)
        let start = problem.map { "p.yaml:2: input: \($0)" }
        try expect("clock: pts\ninput: \"\(location)\"", start.map { [$0] } ?? [], options)
    }

    @Test func feedsWithSecretsComeFromTheSecretWhereTheyAreAlone() throws {
        let text = """
            clock: pts
            channels:
              - { name: a, input: "rtmp://0.0.0.0:1935/live/a-stream-key" }
              - { name: b, input: "rtmp://0.0.0.0:1935/live/another-key" }
            """
        try expect(text, ["p.yaml:3: channels[0].input: everybody", "p.yaml:4: channels[1].input: everybody"])
        try expect(text, [], KubernetesOptions(image: "packager", groupSize: 1))
    }

    @Test func secretsOfOtherValuesAreRefused() throws {
        try expect(
            """
            clock: pts
            input: https://encoder.example.com/a.ts
            webhooks: [{ url: "https://alerts.example.com/hook?token=secret-word" }]
            """,
            [
                "p.yaml:3: webhooks[0].url: everybody who may read a ConfigMap would see the secret in 'https://alerts"
            ]
        )
    }

    @Test func pairsNeedAClockAndASecret() throws {
        try expect(
            "encryption: sample-aes\nstate: /var/lib/packager\ninput: https://a/a.ts",
            ["p.yaml:1: encryption: each pod would make its own master secret", "p.yaml:1: clock: with 'arrival'"]
        )
    }

    /// `/t/PASS/NAME/…` is no path below a channel.
    @Test func passesInPathsHaveNoRoute() throws {
        let routed = KubernetesOptions(image: "packager", routing: .gateway("edge", namespace: nil))
        for (form, problems) in [("path", ["p.yaml:1: token-media: a Gateway or an Ingress"]), ("cookie", [])] {
            let text = """
                token-media: \(form)
                token-keys: /secrets/jwks.json
                token-media-secret: /secrets/pass
                clock: pts
                input: https://encoder.example.com/a.ts
                """
            try expect(text, problems, routed)
            try expect(text, [])
        }
    }

    @Test func clientAuthorityOfTheControlAPIIsAProblem() throws {
        let text = """
            tls-certificate: tls.pem
            tls-private-key: tls.key
            control-client-authority: operators.pem
            clock: pts
            input: https://encoder.example.com/a.ts
            """
        try expect(text, ["p.yaml:3: control-client-authority: Prometheus has no client certificate"])
        try expect(
            text,
            ["p.yaml:1: tls-certificate: a Gateway"],
            KubernetesOptions(image: "packager", routing: .ingress("nginx"), isMonitored: false)
        )
    }

    @Test func aConfigurationThatIsWrongIsNoManifest() throws {
        try expect("window: soon\ninput: https://a/a.ts", ["p.yaml:1: window:"])
    }

    /// Options, and the flag that is complained of.
    @Test(arguments: [
        (KubernetesOptions(name: "Fleet", image: "a"), "--name"),
        (KubernetesOptions(namespace: "a.b", image: "a"), "--namespace"),
        (KubernetesOptions(image: ""), "--image"), (KubernetesOptions(image: "a", groupSize: 0), "--group-size"),
        (KubernetesOptions(image: "a", host: "live.example.com"), "--host"),
        (KubernetesOptions(image: "a", storage: "big"), "--storage"),
        (KubernetesOptions(image: "a", routing: .gateway("", namespace: nil)), "--gateway"),
        (KubernetesOptions(image: "a", routing: .ingress("a/b")), "--ingress-class"),
        (KubernetesOptions(image: "a", memory: "2 GB"), "--memory"),
    ])
    func invalidOptionsAreProblems(options: KubernetesOptions, flag: String) {
        #expect(options.problems.count == 1 && options.problems[0].hasPrefix(flag), "\(options.problems)")
    }

    /// Channels whose names are no names of objects have other ones, all different.
    @Test func namesOfObjectsAreTold() {
        #expect(KubernetesName.label("news") == "news")
        let odd = ["News", "NEWS", "a_b", "a.b", "-a", String(repeating: "a", count: 64), "."].map(KubernetesName.label)
        #expect(Set(odd).count == odd.count)
        #expect(odd.allSatisfy { KubernetesName.isLabel("packager-\($0)") })
    }
}

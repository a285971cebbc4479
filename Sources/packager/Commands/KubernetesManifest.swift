import ArgumentParser
import Hosting
import Manifests
import Operations
import PackagerConfig

/// `packager manifests kubernetes`: writes the objects that run channels in pairs of pods.
struct KubernetesManifest: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "kubernetes",
        abstract: "Writes manifests for Kubernetes to standard output.",
        discussion: """
            Each group of channels runs in two pods on two machines, which are each other's peers. The manifests have \
            Services for viewers and encoders and, with --gateway or --ingress-class, a route for each channel. Files \
            that the configuration names come from a Secret; the first lines of the output have the command that makes \
            it. The manifests contain no secrets. The command reports all settings that cannot work in pods.

              packager manifests kubernetes --config packager.yaml --image registry.example.com/packager:0.3.0 > fleet.yaml
              packager manifests kubernetes --config packager.yaml --image … --keep fleet.yaml > next.yaml
              kubectl apply --filename next.yaml

            Exit codes: 0 written, 2 bad usage or configuration.
            """
    )

    @Option(
        help: ArgumentHelp("Read the configuration from a YAML file.", valueName: "file"),
        completion: .file(extensions: ["yaml"])
    )
    var config: String

    @Option(help: ArgumentHelp("The image of the packager.", valueName: "image"))
    var image: String

    @Option(help: ArgumentHelp("Most channels of a pair of pods.", valueName: "number"))
    var groupSize = 10

    @Option(
        help: ArgumentHelp("Keep the groups of channels in these former manifests.", valueName: "file"),
        completion: .file(extensions: ["yaml"])
    )
    var keep: String?

    @Option(help: ArgumentHelp("The name of the fleet, with which the names of all objects begin.", valueName: "name"))
    var name = "packager"

    @Option(help: ArgumentHelp("The namespace of the objects. (default: that of kubectl)", valueName: "name"))
    var namespace: String?

    @Option(help: ArgumentHelp("Write an HTTPRoute for each channel, at this Gateway.", valueName: "[namespace/]name"))
    var gateway: String?

    @Option(help: ArgumentHelp("Write an Ingress for each channel, of this class.", valueName: "class"))
    var ingressClass: String?

    @Option(help: ArgumentHelp("The host name of the routes. (default: any)", valueName: "name"))
    var host: String?

    @Option(help: ArgumentHelp("The type of the Services for viewers.", valueName: "type"))
    var serviceType = KubernetesOptions.ServiceType.clusterIP

    @Option(help: ArgumentHelp("The type of the Services for encoders.", valueName: "type"))
    var feedServiceType = KubernetesOptions.ServiceType.loadBalancer

    @Option(help: ArgumentHelp("The size of a pod's volume, if the configuration has a state.", valueName: "quantity"))
    var storage = "10Gi"

    @Option(help: ArgumentHelp("The CPU that a pod requests. (default: none)", valueName: "quantity"))
    var cpu: String?

    @Option(help: ArgumentHelp("The memory that a pod requests, and its limit. (default: none)", valueName: "quantity"))
    var memory: String?

    @Flag(inversion: .prefixedNo, help: "Write ServiceMonitors for Prometheus.")
    var serviceMonitor = true

    func validate() throws {
        if gateway != nil, ingressClass != nil {
            throw ValidationError("Give either --gateway or --ingress-class, not both.")
        }
        let problems = options.problems
        if !problems.isEmpty { throw ValidationError(problems.joined(separator: "\n")) }
    }

    func run() throws {
        do {
            let file = try ConfigurationFile(reading: config)
            // The environment of this machine does not apply to the pods.
            let reading = try Configuration.read(flags: [:], environment: [:], file: file)
            let manifests = try KubernetesManifests(file, reading, options, keeping: try grouping())
            for warning in reading.configuration.warnings {
                LineWriter.standardError.write("\(warning.origin): warning: \(warning.message)")
            }
            try WrittenDocument.write(manifests.text)
        } catch {
            LineWriter.standardError.complain("packager: \(error)")
            throw ExitCode(2)
        }
    }

    private func grouping() throws -> ChannelGrouping {
        guard let keep else { return ChannelGrouping() }
        let text = (try? ConfigurationFile(reading: keep))?.text
        guard let grouping = text.flatMap(ChannelGrouping.init(ofManifests:)) else {
            throw SetupError("--keep: \(keep) cannot be read, or was not written by this command")
        }
        return grouping
    }

    private var options: KubernetesOptions {
        KubernetesOptions(
            name: name,
            namespace: namespace,
            image: image,
            groupSize: groupSize,
            routing: routing,
            host: host,
            serviceType: serviceType,
            feedServiceType: feedServiceType,
            storage: storage,
            cpu: cpu,
            memory: memory,
            isMonitored: serviceMonitor
        )
    }

    private var routing: KubernetesOptions.Routing? {
        if let ingressClass { return .ingress(ingressClass) }
        guard let gateway else { return nil }
        let parts = gateway.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        return parts.count == 2 ? .gateway(parts[1], namespace: parts[0]) : .gateway(gateway, namespace: nil)
    }
}

extension KubernetesOptions.ServiceType: ExpressibleByArgument {}

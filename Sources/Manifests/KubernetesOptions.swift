/// The facts about a cluster that no configuration of a packager has.
package struct KubernetesOptions: Hashable, Sendable {
    /// The name of the fleet, which the names of all objects begin with.
    package var name: String
    /// The namespace of all objects; nil for the one in effect when they are applied.
    package var namespace: String?
    package var image: String
    /// The number of channels that a pair of pods has at most.
    package var groupSize: Int
    /// The objects that send viewers of a channel to its group.
    package var routing: Routing?
    /// The host name of the origin; nil for any.
    package var host: String?
    /// The type of the Services for viewers.
    package var serviceType: ServiceType
    /// The type of the Services for encoders; each pod has its own.
    package var feedServiceType: ServiceType
    /// The size of the volume of each pod that keeps a state.
    package var storage: String
    /// The CPU that a pod requests; nil for none.
    package var cpu: String?
    /// The memory that a pod requests, which is also its limit; nil for none.
    package var memory: String?
    /// True if ServiceMonitors announce the pods to Prometheus.
    package var isMonitored: Bool

    package enum Routing: Hashable, Sendable {
        /// An HTTPRoute for each channel, at a Gateway of this name.
        case gateway(String, namespace: String?)
        /// An Ingress for each channel, of this class.
        case ingress(String)
    }

    package enum ServiceType: String, CaseIterable, Sendable {
        case clusterIP = "ClusterIP"
        case nodePort = "NodePort"
        case loadBalancer = "LoadBalancer"
    }

    package init(
        name: String = "packager",
        namespace: String? = nil,
        image: String,
        groupSize: Int = 10,
        routing: Routing? = nil,
        host: String? = nil,
        serviceType: ServiceType = .clusterIP,
        feedServiceType: ServiceType = .loadBalancer,
        storage: String = "10Gi",
        cpu: String? = nil,
        memory: String? = nil,
        isMonitored: Bool = true
    ) {
        self.name = name
        self.namespace = namespace
        self.image = image
        self.groupSize = groupSize
        self.routing = routing
        self.host = host
        self.serviceType = serviceType
        self.feedServiceType = feedServiceType
        self.storage = storage
        self.cpu = cpu
        self.memory = memory
        self.isMonitored = isMonitored
    }

    /// The Secret with the files and feeds that the pods use, which is made by hand.
    var secret: String { "\(name)-secrets" }

    /// The reasons why Kubernetes would refuse the objects, one sentence each.
    package var problems: [String] {
        var problems: [String] = []
        // With the additions for pods, the names of objects have at most 63 characters.
        if !KubernetesName.isLabel(name) || name.count > 30 {
            problems.append("--name: '\(name)' is no name; it has up to 30 small letters, digits and '-'")
        }
        if let namespace, !KubernetesName.isLabel(namespace) {
            problems.append("--namespace: '\(namespace)' is no name; it has up to 63 small letters, digits and '-'")
        }
        if let host, !host.split(separator: ".", omittingEmptySubsequences: false).allSatisfy(KubernetesName.isLabel) {
            problems.append("--host: '\(host)' is no host name in small letters")
        }
        if image.isEmpty || image.contains(where: \.isWhitespace) { problems.append("--image: '\(image)' is no image") }
        if !(1...1000).contains(groupSize) { problems.append("--group-size: 1 to 1000 channels are a group") }
        for (flag, quantity) in [("storage", storage), ("cpu", cpu), ("memory", memory)] {
            guard let quantity, quantity.wholeMatch(of: /[0-9]+(\.[0-9]+)?(m|[kMGTPE]i?)?/) == nil else { continue }
            problems.append("--\(flag): '\(quantity)' is no quantity; write it like 500m, 2 or 10Gi")
        }
        return problems + routingProblems
    }

    private var routingProblems: [String] {
        switch routing {
        case nil: host == nil ? [] : ["--host: no routes are written; give --gateway or --ingress-class as well"]
        case .gateway(let name, let namespace):
            ([name] + (namespace.map { [$0] } ?? [])).allSatisfy(KubernetesName.isLabel)
                ? [] : ["--gateway: write it like NAME or NAMESPACE/NAME"]
        case .ingress(let name):
            KubernetesName.isLabel(name) ? [] : ["--ingress-class: '\(name)' is no name of a class"]
        }
    }
}

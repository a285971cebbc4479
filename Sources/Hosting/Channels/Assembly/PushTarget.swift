import Fetching
import MediaCore
import NIOHTTP1
import ObjectStores
import PackagerConfig

/// A destination, with its credentials and client.
struct PushTarget: Sendable {
    let description: PushDescription
    var destination: PushDestination
    let credentials: ObjectStore.Credentials
    /// The authorities that may have signed its certificate; nil for those that the system trusts.
    let authorities: CertificateAuthorities?

    private static let usualRegion = "us-east-1"

    /// - Parameters:
    ///   - description: The settings of the destination.
    ///   - environment: The variables of the process.
    ///   - now: The time of this machine, in UTC.
    /// - Throws: A problem of its credentials or authorities, in one phrase.
    init(
        _ description: PushDescription,
        environment: [String: String],
        now: @escaping @Sendable () -> MediaTime
    ) throws {
        self.description = description
        authorities = try description.authorityFile.map { path in try CertificateAuthorities(file: path) }
        guard let bucket = description.bucket else {
            destination = .server(description.url)
            credentials = try description.credentialsFile.map { path in try .fields(file: path) } ?? .fields([:])
            return
        }
        let region = description.region ?? environment["AWS_REGION"] ?? Self.usualRegion
        let addressing: PushDestination.Addressing? =
            switch description.addressing {
            case .automatic: nil
            case .path: .path
            case .host: .host
            }
        destination = .bucket(
            bucket.name,
            prefix: bucket.prefix,
            endpoint: description.endpoint,
            region: region,
            addressing: addressing
        )
        let source = try description.credentialsFile.map { AccessKeys.Source.file($0) } ?? .usual(environment)
        try source.check()
        credentials = .accessKeys(AccessKeys(source, now: now), region: region)
    }
}

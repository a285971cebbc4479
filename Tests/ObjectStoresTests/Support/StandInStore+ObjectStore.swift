import MediaCore
import NIOHTTP1
import TestSupport
import Testing

@testable import ObjectStores

extension StandInStore {
    /// Makes a client that puts objects below `/media/live`.
    ///
    /// - Parameters:
    ///   - secret: The secret of the access key that requests to a bucket are signed with.
    ///   - fields: The fields of requests to a server; nil for a bucket.
    /// - Returns: The client.
    /// - Throws: If there can be no such key.
    func objectStore(secret: String = "s", fields: HTTPHeaders? = nil) throws -> ObjectStore {
        let now: @Sendable () -> MediaTime = { SystemClock().wallClock }
        let destination: PushDestination
        let credentials: ObjectStore.Credentials
        if let fields {
            (destination, credentials) = (.server("\(url)/media/live"), .fields(fields))
        } else {
            let key = try #require(AccessKey(id: "AKID", secret: secret))
            destination = .bucket("media", prefix: "live", endpoint: url, region: "eu-central-1", addressing: nil)
            credentials = .accessKeys(AccessKeys(.key(key), now: now), region: "eu-central-1")
        }
        return ObjectStore(destination, credentials, connections: Push.lanes, targetDuration: 6, now: now)
    }
}

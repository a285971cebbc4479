package import MediaCore
package import Operations

/// The finished assets of a channel, for the control API.
///
/// Functions that wait for the disk are asynchronous and do so on a thread of their own, because tasks share a few
/// threads.
package protocol OperatedAssets: Sendable {
    /// The records, newest first.
    var records: [AssetRecord] { get }

    func record(_ id: String) -> AssetRecord?

    /// Accepts an asset, which is made once its end is recorded.
    ///
    /// - Throws: ``AssetRefusal``; then there is none.
    func add(_ request: AssetRequest, now: MediaTime) async throws(AssetRefusal) -> AssetRecord

    /// Removes an asset, or cancels its request.
    ///
    /// - Returns: False if there is none of the name.
    /// - Throws: ``AssetRefusal``.
    func remove(_ id: String) async throws(AssetRefusal) -> Bool
}

extension OperatedChannel {
    /// A channel without a recording has none.
    package var assets: (any OperatedAssets)? { nil }
}

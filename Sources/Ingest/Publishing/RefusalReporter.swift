import MediaCore
import Synchronization

/// Reports publishers that were refused or cut off, with a limit for repetitions.
final class RefusalReporter: Sendable {
    private let signal: StopSignal
    private let onRefusal: @Sendable (InputNotice) -> Void
    private let filter = Mutex(RefusalFilter())
    /// Apart from the others: strangers must not hide what becomes of the encoder on air.
    private let cutOffs = Mutex(RefusalFilter())

    /// - Parameters:
    ///   - signal: Ends reports once it is raised.
    ///   - onRefusal: Called with refusals, on the thread on which they occurred.
    init(signal: StopSignal, onRefusal: @escaping @Sendable (InputNotice) -> Void) {
        self.signal = signal
        self.onRefusal = onRefusal
    }

    /// Reports a publisher that was refused.
    ///
    /// - Parameters:
    ///   - address: Its address.
    ///   - port: Its port.
    ///   - reason: The reason, which has no key in it.
    func refused(_ address: String, port: Int, reason: String) {
        report(.publisherRefused(peer: "\(address) port \(port)", reason: reason), of: address, reason)
    }

    /// A publisher on air was cut off; the parameters are those of ``refused(_:port:reason:)``.
    func cutOff(_ address: String, port: Int, reason: String) {
        let isNews = cutOffs.withLock { $0.reports(address, reason, at: .now) }
        if isNews, !signal.isRaised { onRefusal(.publisherCutOff(peer: "\(address) port \(port)", reason: reason)) }
    }

    /// Reports that clients without a key have taken all their places.
    ///
    /// - Parameters:
    ///   - network: The network with most of them.
    ///   - held: The number of places that they hold.
    func crowded(by network: String, held: Int) {
        report(.publishersCrowded(network: network, held: held), of: network, "crowd")
    }

    private func report(_ notice: InputNotice, of address: String, _ reason: String) {
        let isNews = filter.withLock { $0.reports(address, reason, at: .now) }
        if isNews, !signal.isRaised { onRefusal(notice) }
    }
}

import Glibc
import MediaCore
import Synchronization

extension InputReader {
    /// Opens the feed again and again until it has ended or the signal is raised.
    func run() {
        // A broken file is rarely repaired within seconds, and probing it may be expensive.
        var backoff = address.feed.kind == .file ? Backoff(maximum: .seconds(60)) : Backoff()
        var pump = makePump()
        while !signal.isRaised {
            let end = pump.run()
            if signal.isRaised { return }
            switch end {
            case .ended:
                return consumer.inputEnded()
            case .startsOver:
                continue
            case .lost(let error, let run):
                consumer.inputLost(reason: error.description)
                guard isOpenedAgain(after: error, run) else { return consumer.inputEnded() }
                // The next caller is let in at once, unless callers come and go.
                if address.isListening, let run, run >= .seconds(1) { continue }
                if signal.wait(for: backoff.failed(afterRunOf: run ?? .zero)) { return }
            }
        }
    }

    /// Decides if a feed that was lost is opened again.
    ///
    /// - Parameters:
    ///   - error: The reason of the loss.
    ///   - run: The time for which the feed was open; nil if it could not be opened.
    /// - Returns: False if it will not come back.
    private func isOpenedAgain(after error: FFmpegError, _ run: Duration?) -> Bool {
        if error.code == FFmpegError.addressInUse, !options.waitsForAddress {
            addressInUse.store(true, ordering: .releasing)
            return false
        }
        // A pipe cannot be read again, and a file was read up to its damage.
        let isRead = address.feed.kind == .file && run != nil && !options.isLooping
        return options.retries && !isRead && address.feed.kind != .pipe
    }

    /// Makes the pump that reads the feed each time that it is opened.
    private func makePump() -> InputPump {
        InputPump(
            address: address,
            options: options,
            consumer: consumer,
            signal: signal,
            progress: progress
        ) { [replayBuffer, open, consumer, isPrompt = options.isPrompt] address, signal throws(FFmpegError) in
            guard address.canResume else { return nil }
            let source: FeedSource
            if let taken = open?.take() {
                source = taken
            } else {
                source = try FeedSource(
                    opening: address,
                    besideOthers: false,
                    isPrompt: isPrompt,
                    signal: signal,
                    replayBuffer: replayBuffer
                )
            }
            source.onNotice = { consumer.inputNoticed($0) }
            if source.isTransportStream() { return source }
            // libavformat reads RTP that is not a transport stream, but does not check the sender.
            guard address.allowed.isEmpty else {
                throw FFmpegError(
                    code: FFmpegError.posix(EACCES),
                    operation: "read RTP other than MPEG-TS of allowed-publishers"
                )
            }
            return nil
        }
    }
}

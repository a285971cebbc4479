import Files
import NIOCore

/// Bodies that the kernel sends from files (`sendfile(2)`): they count for the connection as bytes in memory do.
extension RequestHandler {
    /// The time between two looks at a file that is being sent.
    private static let checkInterval = TimeAmount.seconds(1)

    /// Writes a part of a file; later requests wait until it is sent.
    ///
    /// - Parameters:
    ///   - file: The part.
    ///   - context: The place where the head was written, which may be the handler in front of the parser.
    func send(_ file: FilePart, _ context: ChannelHandlerContext) {
        sending = file
        // A handle serves one thread at a time, so that each part has its own. The descriptor stays that of the file.
        let handle = NIOFileHandle(_deprecatedTakingOwnershipOfDescriptor: file.file.descriptor)
        let region = FileRegion(
            fileHandle: handle,
            readerIndex: file.range.lowerBound,
            endIndex: file.range.upperBound
        )
        let sent = context.eventLoop.makePromise(of: Void.self)
        sent.futureResult.assumeIsolated().whenComplete { [self] result in
            _ = try? handle.takeDescriptorOwnership()
            withExtendedLifetime(file) { sending = nil }
            if case .success = result, let context = self.context { resume(context) }
        }
        context.write(wrapOutboundOut(.fileRegion(region)), promise: sent)
        if fileCheck == nil { checkFile(context.eventLoop) }
    }

    /// Ends the connection if the file becomes shorter while it is being sent: NIO would ask the kernel for the rest
    /// without end.
    private func checkFile(_ eventLoop: any EventLoop) {
        fileCheck = eventLoop.assumeIsolated().scheduleTask(in: Self.checkInterval) { [self] in
            fileCheck = nil
            guard let sending else { return }
            if sending.isWhole { return checkFile(eventLoop) }
            context?.triggerUserOutboundEvent(ConnectionHandler.Broken(), promise: nil)
        }
    }
}

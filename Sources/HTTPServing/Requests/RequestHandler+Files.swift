import Files
import Glibc
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
        cork(true, context)
        let sent = context.eventLoop.makePromise(of: Void.self)
        sent.futureResult.assumeIsolated().whenComplete { [self] result in
            _ = try? handle.takeDescriptorOwnership()
            withExtendedLifetime(file) { sending = nil }
            guard case .success = result, let context = self.context else { return }
            cork(false, context)
            resume(context)
        }
        context.write(wrapOutboundOut(.fileRegion(region)), promise: sent)
        if fileCheck == nil { checkFile(context.eventLoop) }
    }

    /// Lets the head travel with the first bytes of the file (`TCP_CORK`, tcp(7)), as it does with a body in memory.
    ///
    /// A packet of its own for the head would wake each client twice.
    private func cork(_ isOn: Bool, _ context: ChannelHandlerContext) {
        let option = ChannelOptions.Types.SocketOption(level: .tcp, name: NIOBSDSocket.Option(rawValue: TCP_CORK))
        try? context.channel.syncOptions?.setOption(option, value: isOn ? 1 : 0)
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

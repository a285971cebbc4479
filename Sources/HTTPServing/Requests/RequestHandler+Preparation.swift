import NIOCore

/// Answers that are prepared, to requests that need no parser.
extension RequestHandler {
    /// Answers bytes at once, in front of the parser, if they are a ``PlainGet`` and the answer to it is prepared.
    ///
    /// The caller flushes. It passes bytes only while the parser is between two requests.
    ///
    /// - Returns: False if the bytes have to be parsed; nothing has happened then.
    func answers(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) -> Bool {
        guard isBetweenAnswers, context.channel.isWritable, bytes.readableBytes <= maximumHeadBytes,
            var get = PlainGet(bytes)
        else { return false }
        (get.client, get.clientAddress, get.takesFiles) = (reader.client, reader.address, !reader.isSecure)
        guard let answer = responder.prepared(for: get) else { return false }
        lastActivity = get.arrival
        pass.began()
        let (head, hasBody) = answer.encoded(date: date.text(at: answer.time), allocator: context.channel.allocator)
        context.write(wrapOutboundOut(.byteBuffer(head)), promise: nil)
        if let file = answer.file ?? (get.takesFiles ? answer.head.copy?.part(of: answer.body, at: get.arrival) : nil) {
            send(file, context)
        } else if !hasBody, !write(answer.body, closes: false, context) {
            return true
        }
        if context.channel.isWritable && sending == nil { pass.becameIdle() }
        return true
    }
}

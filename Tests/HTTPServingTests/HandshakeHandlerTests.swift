import NIOCore
import NIOEmbedded
import NIOSSL
import NIOTLS
import Testing

@testable import HTTPServing

@Suite struct HandshakeHandlerTests {
    private final class Agreed {
        var protocols: [String?] = []
    }

    private struct Failure: Error {}

    private static func connection(
        _ setUp: @escaping (String?) throws -> Void
    ) throws -> EmbeddedChannel {
        let channel = EmbeddedChannel(handler: HandshakeHandler(timeout: .seconds(10), setUp: setUp))
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        return channel
    }

    @Test(arguments: ["h2", "http/1.1", nil]) func whatWasAgreedOnIsSetUp(negotiated: String?) throws {
        let agreed = Agreed()
        let channel = try Self.connection { agreed.protocols.append($0) }
        channel.pipeline.fireUserInboundEventTriggered(
            TLSUserEvent.handshakeCompleted(negotiatedProtocol: negotiated)
        )
        #expect(agreed.protocols == [negotiated])
        channel.embeddedEventLoop.advanceTime(by: .seconds(600))
        #expect(channel.isActive)
        #expect(throws: ChannelPipelineError.self) {
            try channel.pipeline.syncOperations.handler(type: HandshakeHandler.self)
        }
        _ = try channel.finish()
    }

    @Test func whoTakesTooLongIsNotWaitedFor() throws {
        let channel = try Self.connection { _ in }
        channel.embeddedEventLoop.advanceTime(by: .seconds(9))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .seconds(2))
        #expect(!channel.isActive)
    }

    @Test func whoDoesNotAgreeIsSentAway() throws {
        let failed = try Self.connection { _ in }
        failed.pipeline.fireErrorCaught(Failure())
        failed.embeddedEventLoop.run()
        #expect(!failed.isActive)
        let closed = try Self.connection { _ in throw Failure() }
        closed.pipeline.fireUserInboundEventTriggered(TLSUserEvent.handshakeCompleted(negotiatedProtocol: "h2"))
        closed.embeddedEventLoop.run()
        #expect(!closed.isActive)
    }

    @Test func aShutdownDoesNotWaitForIt() throws {
        let channel = try Self.connection { _ in }
        channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        channel.embeddedEventLoop.run()
        #expect(!channel.isActive)
    }

    // MARK: With TLS

    /// A connection as a server sets it up, and its client.
    private struct EncryptedConnection {
        let server = EmbeddedChannel()
        let client = EmbeddedChannel()

        init() throws {
            let certificate = try ServerCertificate(
                certificate: Array(HandshakeHandlerTests.certificate.utf8),
                privateKey: Array(HandshakeHandlerTests.privateKey.utf8)
            )
            let timeouts = ConnectionTimeouts(write: .seconds(60), linger: .seconds(5), shutdown: .seconds(10))
            try server.pipeline.syncOperations.addHandlers(
                SocketCloser(),
                NIOSSLServerHandler(context: certificate.context),
                ConnectionHandler(timeouts: timeouts, isEncrypted: true),
                HandshakeHandler(timeout: timeouts.handshake) { _ in }
            )
            var configuration = TLSConfiguration.makeClientConfiguration()
            configuration.certificateVerification = .none
            let context = try NIOSSLContext(configuration: configuration)
            try client.pipeline.syncOperations.addHandler(NIOSSLClientHandler(context: context, serverHostname: nil))
            for channel in [server, client] {
                try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
            }
        }

        /// Passes on what both have to say until the handshake is complete.
        func shakeHands() throws {
            for _ in 0..<8 {
                while let bytes = try client.readOutbound(as: ByteBuffer.self) { try server.writeInbound(bytes) }
                while let bytes = try server.readOutbound(as: ByteBuffer.self) { try client.writeInbound(bytes) }
            }
        }
    }

    @Test func aClientThatSaysNothingIsClosedInTime() throws {
        let connection = try EncryptedConnection()
        connection.server.embeddedEventLoop.advanceTime(by: .seconds(9))
        #expect(connection.server.isActive)
        connection.server.embeddedEventLoop.advanceTime(by: .seconds(2))
        #expect(!connection.server.isActive)
    }

    @Test func aClientThatSaysNothingHoldsUpNoShutdown() throws {
        let connection = try EncryptedConnection()
        connection.server.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        connection.server.embeddedEventLoop.run()
        #expect(!connection.server.isActive)
    }

    /// Neither before the handshake, nor after it: the client need not say farewell.
    @Test(arguments: [false, true]) func aDisplacedConnectionIsClosedAtOnce(isComplete: Bool) throws {
        let connection = try EncryptedConnection()
        if isComplete {
            try connection.shakeHands()
            #expect(throws: ChannelPipelineError.self, "the handshake is complete") {
                try connection.server.pipeline.syncOperations.handler(type: HandshakeHandler.self)
            }
        }
        connection.server.triggerUserOutboundEvent(ConnectionHandler.Displaced(), promise: nil)
        connection.server.embeddedEventLoop.run()
        #expect(!connection.server.isActive)
    }

    private static let certificate = """
        -----BEGIN CERTIFICATE-----
        MIIBgDCCASWgAwIBAgIUb9frEZg2xm3Pw8+HY+Ng/ifL2u0wCgYIKoZIzj0EAwIw
        FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyOTE5NTA1OFoYDzIxMjYxMTA1
        MTk1MDU4WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
        PQMBBwNCAARQmVkM+cjpuP2Cu5uJslsP7WNqJYL/xwd+FqWgyjY9C2+0aJkQZRiu
        2UTOFVnZ7lWtb96SdBYhRPHm8ZEjlWRgo1MwUTAdBgNVHQ4EFgQU1YEIeV7CLsqB
        L26WPGqCAlcuvlgwHwYDVR0jBBgwFoAU1YEIeV7CLsqBL26WPGqCAlcuvlgwDwYD
        VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNJADBGAiEAxSeqP6F32pUEZ/CqVGSg
        4wOjOrlzlvH+5lKPAsPsX1ECIQCt6ZoVo+ZI7xoTq1dKzacPwhRuSBwpFup3npS3
        iARcvg==
        -----END CERTIFICATE-----
        """

    private static let privateKey = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg1utEUYsanR6rSsnG
        e80+5WVmAAdrCOjSm/q8zJLfimqhRANCAARQmVkM+cjpuP2Cu5uJslsP7WNqJYL/
        xwd+FqWgyjY9C2+0aJkQZRiu2UTOFVnZ7lWtb96SdBYhRPHm8ZEjlWRg
        -----END PRIVATE KEY-----
        """
}

import Testing

@testable import Ingest

@Suite struct LibraryLogTests {
    @Test(arguments: [
        (": connection rejected", "newConnection", "newConnection: connection rejected"),
        (": interpretSrtHandshake: KMREQ result", "interpretSrtHandshake", "interpretSrtHandshake: KMREQ result"),
        ("closed: peer\nis gone\n", "", "closed: peer is gone"),
        ("@7:newConnection: rejected", "newConnection", "newConnection: @7:newConnection: rejected"),
    ])
    func linesOfLibsrtSayWhereOnce(message: String, area: String, text: String) {
        #expect(LibraryLog.text(message, of: area) == text)
    }
}

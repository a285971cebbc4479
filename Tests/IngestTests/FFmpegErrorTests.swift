import Testing

@testable import Ingest

@Suite struct FFmpegErrorTests {
    @Test(arguments: [
        (FFmpegError.endOfFile, "read: End of file"),
        (FFmpegError.invalidData, "read: Invalid data found when processing input"),
        (FFmpegError.outOfMemory, "read: Cannot allocate memory"),
        (-123_456, "read: Error number -123456 occurred"),
    ])
    func errorsSpeakInTheLibrarysWords(code: Int32, text: String) {
        #expect(FFmpegError(code: code, operation: "read").description == text)
    }

    @Test func onlyNegativeResultsAreErrors() throws {
        #expect(try FFmpegError.check(3, "read") == 3)
        #expect(throws: FFmpegError(code: -5, operation: "open")) { try FFmpegError.check(-5, "open") }
    }
}

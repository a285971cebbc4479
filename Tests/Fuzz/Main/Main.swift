import Foundation
import FuzzReaders

/// `fuzz READER [OPTIONS] [CORPUS]`: libFuzzer's driver, around one reader.
@main
enum Main {
    static func main() {
        guard CommandLine.arguments.count > 1, let reader = Reader(rawValue: CommandLine.arguments[1]) else {
            print(Reader.allCases.map(\.rawValue).joined(separator: "\n"))
            exit(CommandLine.arguments.count > 1 ? 2 : 0)
        }
        chosen = reader
        let arguments = [CommandLine.arguments[0]] + CommandLine.arguments.dropFirst(2)
        var pointers: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        var count = CInt(arguments.count)
        pointers.withUnsafeMutableBufferPointer { buffer in
            var vector = buffer.baseAddress
            exit(
                runDriver(&count, &vector) { bytes, size in
                    chosen.read([UInt8](UnsafeBufferPointer(start: bytes, count: size)))
                    return 0
                }
            )
        }
    }
}

/// The driver calls back without a context.
nonisolated(unsafe) private var chosen = Reader.h264

@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
    _ callback: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

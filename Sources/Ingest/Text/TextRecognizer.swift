import MediaCore
import Subprocess
import Synchronization

/// Reads pictures of text with tesseract, one after another, beside the threads that read feeds.
///
/// It is not waited for: pictures that take too long, or come while too many wait, have no text.
final class TextRecognizer: Sendable {
    private struct Job: Sendable {
        var number: Int
        var bitmaps: [SubtitleBitmap]
    }

    private let jobs: AsyncStream<Job>.Continuation
    private let results: Results
    private let worker: Task<Void, Never>

    /// Pages that may wait.
    private static let mostWaiting = 8
    private static let timeLimit = Duration.seconds(5)

    /// - Parameter language: As tesseract calls it, such as `deu`.
    init(language: String) {
        let (stream, continuation) = AsyncStream<Job>.makeStream(bufferingPolicy: .bufferingOldest(Self.mostWaiting))
        jobs = continuation
        let results = Results()
        self.results = results
        worker = Task.detached {
            let installed = try? await Self.languages()
            let known = installed.map { [language, "eng"].first(where: $0.contains) }
            switch known {
            case nil: results.note(.noRecognizer)
            case .some(let known) where known != language: results.note(.noLanguage(language))
            default: break
            }
            for await job in stream {
                guard let language = known ?? nil else {
                    results.add("", of: job.number)
                    continue
                }
                var texts: [String] = []
                for bitmap in job.bitmaps { texts.append(await Self.read(bitmap, language: language)) }
                results.add(texts.filter { !$0.isEmpty }.joined(separator: "\n"), of: job.number)
            }
        }
    }

    deinit {
        jobs.finish()
        worker.cancel()
    }

    /// Texts that were read and have not been taken.
    private final class Results: Sendable {
        private let texts = Mutex<[Int: String]>([:])
        private let obstacle = Mutex<TextObstacle?>(nil)

        func add(_ text: String, of number: Int) { texts.withLock { $0[number] = text } }

        func note(_ obstacle: TextObstacle) { self.obstacle.withLock { $0 = obstacle } }

        var hasObstacle: Bool { obstacle.withLock { $0 != nil } }

        func takeObstacle() -> TextObstacle? {
            obstacle.withLock { obstacle in
                defer { obstacle = nil }
                return obstacle
            }
        }

        func take() -> [Int: String] {
            texts.withLock { texts in
                defer { texts = [:] }
                return texts
            }
        }
    }

    /// Begins to read a page.
    ///
    /// - Parameters:
    ///   - bitmaps: The bitmaps, from top to bottom.
    ///   - number: The number of the result.
    /// - Returns: True if there is room for it.
    func read(_ bitmaps: [SubtitleBitmap], number: Int) -> Bool {
        if case .enqueued = jobs.yield(Job(number: number, bitmaps: bitmaps)) { true } else { false }
    }

    /// Returns the texts of the pages that were read since the last call; a text is empty if nothing can be read.
    func takeResults() -> [Int: String] { results.take() }

    /// True if something cannot be read, and that was not reported.
    var hasObstacle: Bool { results.hasObstacle }

    /// Returns the reason why something cannot be read; once.
    func takeObstacle() -> TextObstacle? { results.takeObstacle() }

    private static func read(_ bitmap: SubtitleBitmap, language: String) async -> String {
        await withTaskGroup(of: String?.self) { group in
            group.addTask {
                // A block of text, in a picture of grey levels.
                let result = try? await Subprocess.run(
                    .name("tesseract"),
                    arguments: ["stdin", "stdout", "-l", language, "--psm", "6"],
                    // Its threads wait for each other by spinning, which on a busy machine takes a minute for a line.
                    environment: .inherit.updating(["OMP_THREAD_LIMIT": "1"]),
                    input: .array(bitmap.portableGreyMap),
                    output: .string(limit: 1 << 14),
                    error: .discarded
                )
                return result?.standardOutput ?? ""
            }
            group.addTask {
                try? await Task.sleep(for: timeLimit)
                return nil
            }
            let text = await group.next() ?? nil
            group.cancelAll()
            return text.map(lines) ?? ""
        }
    }

    /// The lines without empty ones, and without the blanks at both ends of the others.
    private static func lines(of text: String) -> String {
        text.split(whereSeparator: \.isNewline).map { line in
            String(line.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
        }.filter { !$0.isEmpty }.joined(separator: "\n")
    }

    /// Returns the languages that tesseract has data for.
    ///
    /// - Throws: ``TextObstacle/noRecognizer``.
    static func languages() async throws(TextObstacle) -> Set<String> {
        let result = try? await Subprocess.run(
            .name("tesseract"),
            arguments: ["--list-langs"],
            output: .string(limit: 1 << 16),
            error: .discarded
        )
        guard let text = result?.standardOutput else { throw .noRecognizer }
        return Set(text.split(whereSeparator: \.isNewline).dropFirst().map(String.init))
    }
}

extension SubtitleBitmap {
    /// The picture as a PGM file, twice as large and with a margin, for which tesseract reads best.
    fileprivate var portableGreyMap: [UInt8] {
        let (scale, margin) = (2, 24)
        let (columns, rows) = (width * scale + 2 * margin, height * scale + 2 * margin)
        let blank = [UInt8](repeating: 255, count: columns)
        var bytes = Array("P5\n\(columns) \(rows)\n255\n".utf8)
        for _ in 0..<margin { bytes += blank }
        for y in 0..<height {
            let line = pixels[y * width..<(y + 1) * width].flatMap { [$0, $0] }
            let row = blank.prefix(margin) + line + blank.prefix(margin)
            for _ in 0..<scale { bytes += row }
        }
        for _ in 0..<margin { bytes += blank }
        return bytes
    }
}

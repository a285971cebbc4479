/// Reasons why text of a feed is not read, or not in its language.
package enum TextObstacle: Error, Hashable {
    /// The program that reads pictures of text is missing.
    case noRecognizer
    /// The recognizer has no data for a language, given by its name there, such as `deu`.
    case noLanguage(String)
    /// No audio or video comes with it, from which it would get its time.
    case noMedia
    /// FFmpeg cannot read it, for the reason that it gives.
    case library(String)
}

package import MediaCore

extension TeletextFault {
    /// The fault as a part of a sentence.
    package var reason: String {
        switch self {
        case .damaged: "code words have more errors than can be corrected (Hamming, parity)"
        case .unended: "rows come, but no header of another page ends them"
        case .notShown: "rows come, but nothing in them is to be shown"
        case .empty: "headers come, but no row with text"
        }
    }
}

extension TextObstacle {
    /// The obstacle as a part of a sentence, with the remedy.
    package var reason: String {
        switch self {
        case .noRecognizer:
            "tesseract, which reads them, is not installed; run 'apt-get install tesseract-ocr', and they are read once the "
                + "feed is opened again"
        case .noLanguage(let code):
            "tesseract has no data for its language (\(code)), and English is assumed; "
                + "run 'apt-get install tesseract-ocr-\(code)'"
        case .noMedia:
            "it comes without audio and video, so its time is unknown; use a file or URL of WebVTT or TTML as subtitles"
        case .library(let reason): reason
        }
    }
}

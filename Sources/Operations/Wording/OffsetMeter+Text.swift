import MediaCore
package import Timeline

extension OffsetMeter.Alignment {
    /// The offset between the inputs, and the evidence for it, in one sentence.
    package var text: String {
        switch method {
        case .matchingPictures(let count):
            "The backup is \(place) its primary: \(count) of the latest pictures are the same in both."
        case .sharedTimestamps:
            "The backup is \(place) its primary: both carry timestamps of one clock."
        case .arrival:
            "The backup is assumed to arrive together with its primary: they share no pictures or timestamps to measure it."
        }
    }

    private var place: String {
        let milliseconds = offset.milliseconds
        if milliseconds == 0 { return "level with" }
        return milliseconds > 0 ? "\(milliseconds) ms behind" : "\(-milliseconds) ms ahead of"
    }
}

package import MediaCore

extension OffsetMeter {
    /// The offset between two inputs, and the evidence for it.
    package struct Alignment: Hashable, Sendable {
        /// UTC of a scene by the backup's anchor, minus its UTC by the primary's: above zero if the backup is behind.
        package var offset: MediaTime
        package var method: Method

        package enum Method: Hashable, Sendable {
            /// The number of pictures that are the same in both and agree.
            case matchingPictures(Int)
            /// The inputs carry timestamps of one clock.
            case sharedTimestamps
            /// The delays of both paths are assumed to be equal.
            case arrival

            /// Better evidence has a higher one.
            var rank: Int {
                switch self {
                case .arrival: 0
                case .sharedTimestamps: 1
                case .matchingPictures: 2
                }
            }
        }

        /// Returns the time to add to the backup's times so that they are the primary's.
        ///
        /// - Parameter primaryShift: The shift that is being added to the primary's.
        /// - Returns: A shift, to be applied while the backup fills no slot.
        package func backupShift(primaryShift: MediaTime = .zero) -> MediaTime { primaryShift - offset }

        /// Returns the time to add to the primary's times when it returns while the backup is on air.
        ///
        /// - Parameter backupShift: The shift that is being added to the backup's.
        /// - Returns: A shift, to be applied while the primary fills no slot.
        package func primaryShift(backupShift: MediaTime) -> MediaTime { backupShift + offset }
    }
}

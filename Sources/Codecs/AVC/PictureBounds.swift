import MediaCore

/// Finds the end of a picture within a packet (ISO/IEC 14496-10 § 7.4.1.2.3 and § 7.4.1.2.4).
///
/// Both fields of a frame are one picture here, since `avc1` has them in one sample: they share their timestamp.
struct PictureBounds {
    /// The picture of the latest slice; nil if its header could not be read.
    private var current: AVCSliceHeader.Picture?
    /// The picture of the first slice.
    private var first: AVCSliceHeader.Picture?
    private var hasSecondField = false

    /// A slice of this picture was read.
    mutating func sliceRead(_ header: AVCSliceHeader?) {
        guard let next = header?.picture else { return }
        if let current, next != current { hasSecondField = true }
        if first == nil { first = next }
        current = next
    }

    /// Tells a field that comes alone.
    ///
    /// - Parameter before: The picture that was read before it.
    /// - Returns: The field of a frame that this picture is; nil if it has both, or is a frame.
    mutating func field(behind before: PictureBounds) -> FieldPlace? {
        guard let first, first.isField, !hasSecondField else { return nil }
        guard let opening = before.current, !before.hasSecondField, first.isSecondField(behind: opening) else {
            return .first
        }
        hasSecondField = true
        return .second
    }

    /// Returns true if a slice is of another picture.
    func ends(before nalUnit: RawSpan, _ header: AVCSliceHeader?) -> Bool {
        guard let current, let next = header?.picture else {
            // Without its parameter sets a slice says only this.
            return NALUnitType.isFirstSlice(nalUnit)
        }
        return next != current && (hasSecondField || !next.isSecondField(behind: current))
    }

    /// Returns true if a NAL unit between slices stands between pictures, and not between the fields of one.
    ///
    /// - Parameters:
    ///   - rest: The bytes from the slice behind it on.
    ///   - parameterSets: Those that stand when it comes.
    /// - Returns: True if the picture has ended; true if no slice follows.
    func ends(before rest: RawSpan, _ parameterSets: AVCParameterSets) -> Bool {
        var nalUnits = NALUnits(rest, framing: .startCodes)
        guard let slice = try? nalUnits.next() else { return true }
        return ends(before: slice, try? AVCSliceHeader(slice, parameterSets: parameterSets))
    }

    /// Returns the place of the next slice behind start codes, or the count of bytes if there is none.
    static func placeOfSlice(in rest: consuming NALUnits) -> Int {
        while true {
            let place = rest.position
            guard let nalUnit = try? rest.next() else { return rest.position }
            if NALUnitType(header: nalUnit.unsafeLoad(as: UInt8.self)).isSlice { return place }
        }
    }
}

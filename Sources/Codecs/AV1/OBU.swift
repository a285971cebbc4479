/// An open bitstream unit as it lies in a temporal unit (AV1 § 5.3).
struct OBU: ~Escapable {
    /// The header's first byte, obu_has_size_field set.
    let header: UInt8
    /// The header's second byte, if it has one.
    let headerExtension: UInt8?
    let payload: RawSpan

    @_lifetime(copy payload)
    init(_ type: OBUType, payload: RawSpan) {
        self.init(header: type.rawValue << 3 | 2, headerExtension: nil, payload: payload)
    }

    @_lifetime(copy payload)
    init(header: UInt8, headerExtension: UInt8?, payload: RawSpan) {
        self.header = header
        self.headerExtension = headerExtension
        self.payload = payload
    }

    /// obu_type; nil if the value is reserved.
    var type: OBUType? { OBUType(rawValue: header >> 3 & 15) }
    /// temporal_id; 0 without an extension.
    var temporalID: Int { Int((headerExtension ?? 0) >> 5) }
    /// spatial_id; 0 without an extension.
    var spatialID: Int { Int((headerExtension ?? 0) >> 3 & 3) }
}

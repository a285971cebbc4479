package import MediaCore

extension HEVCConfiguration {
    /// Returns the bytes that a byte stream has ahead of a sample's NAL units: an access unit delimiter, and where
    /// decoding may start the parameter sets (ISO/IEC 23008-2 Annex B; ISO/IEC 13818-1 § 2.17).
    package func annexBPrefix(isSync: Bool) -> [UInt8] {
        // § 7.4.3.5: pic_type 2, slices of any type.
        let delimiter: [UInt8] = [0x46, 0x01, 0x50]
        let parameterSets = isSync ? videoParameterSets + sequenceParameterSets + pictureParameterSets : []
        return ([delimiter] + parameterSets).flatMap { NALUnits.startCode + $0 }
    }
}

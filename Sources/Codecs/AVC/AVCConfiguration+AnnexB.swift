package import MediaCore

extension AVCConfiguration {
    /// Returns the bytes that a byte stream has ahead of a sample's NAL units: an access unit delimiter, and where
    /// decoding may start the parameter sets (ISO/IEC 14496-10 Annex B; ISO/IEC 13818-1 § 2.14).
    package func annexBPrefix(isSync: Bool) -> [UInt8] {
        // § 7.4.2.4: primary_pic_type 7, slices of any type.
        let delimiter: [UInt8] = [0x09, 0xF0]
        let parameterSets = isSync ? sequenceParameterSets + pictureParameterSets : []
        return ([delimiter] + parameterSets).flatMap { NALUnits.startCode + $0 }
    }
}

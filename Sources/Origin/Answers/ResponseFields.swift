package import NIOHTTP1

/// The fields that every answer begins with.
package enum ResponseFields {
    /// Players on any page may read all bodies, and these fields in addition to those that CORS always shows.
    package static let common: HTTPHeaders = [
        "Access-Control-Allow-Origin": "*",
        "Access-Control-Expose-Headers": "Age, CMSD-Dynamic, CMSD-Static, Content-Range, Date, ETag, Retry-After",
    ]

    /// The answer to a CORS preflight, good for a day.
    static let preflight: HTTPHeaders = {
        var fields = common
        fields.add(name: "Access-Control-Allow-Methods", value: "GET, HEAD, POST, OPTIONS")
        // The wildcard covers all but Authorization (Fetch § 4.8).
        fields.add(name: "Access-Control-Allow-Headers", value: "*, Authorization")
        fields.add(name: "Access-Control-Max-Age", value: "86400")
        return fields
    }()

    /// The common fields, a cache's instructions, and a type; also those of an object of a stream.
    static func fields(cacheControl: String, contentType: String, of object: StreamObject? = nil) -> HTTPHeaders {
        var fields = object?.fields ?? common
        // As many as an answer has at most, so that they are copied once.
        fields.reserveCapacity(14)
        fields.add(name: "Cache-Control", value: cacheControl)
        fields.add(name: "Content-Type", value: contentType)
        return fields
    }
}

package import HTTPTypes

/// The fields that every answer begins with.
package enum ResponseFields {
    /// Players on any page may read everything, and these fields besides those that CORS always shows.
    package static let common: HTTPFields = [
        .accessControlAllowOrigin: "*",
        .accessControlExposeHeaders: "Age, Content-Range, Date, ETag, Retry-After",
    ]

    /// The answer to a CORS preflight, good for a day.
    static let preflight: HTTPFields = {
        var fields = common
        fields.append(HTTPField(name: .accessControlAllowMethods, value: "GET, HEAD, POST, OPTIONS"))
        // The wildcard covers all but Authorization (Fetch § 4.8).
        fields.append(HTTPField(name: .accessControlAllowHeaders, value: "*, Authorization"))
        fields.append(HTTPField(name: .accessControlMaxAge, value: "86400"))
        return fields
    }()

    /// The common fields, a cache's instructions, and a type.
    static func fields(cacheControl: String, contentType: String) -> HTTPFields {
        var fields = common
        fields.append(HTTPField(name: .cacheControl, value: cacheControl))
        fields.append(HTTPField(name: .contentType, value: contentType))
        return fields
    }
}

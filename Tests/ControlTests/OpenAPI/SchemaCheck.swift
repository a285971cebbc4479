@testable import Control

/// Compares values with schemas, by the keywords of JSON Schema that the document has.
///
/// A key that an object's schema does not list is a problem, unless the schema allows others explicitly: clients may ignore
/// it, but nothing would say what it means.
struct SchemaCheck {
    var document: OpenAPIDocument

    /// Returns everything about a value that is not as its schema says.
    ///
    /// - Parameters:
    ///   - value: A value in an answer or a request.
    ///   - reference: Its schema, or a reference to it.
    ///   - place: The place of the value.
    /// - Returns: A sentence each.
    /// - Throws: An error if a reference leads nowhere.
    func problems(_ value: JSONValue, _ reference: JSONValue, at place: String = "body") throws -> [String] {
        let schema = try document.resolved(reference)
        var found: [String] = []
        for choices in [schema["anyOf"].items, schema["oneOf"].items] where !choices.isEmpty {
            let failures = try choices.map { try problems(value, $0, at: place) }
            if failures.allSatisfy({ !$0.isEmpty }) { found.append("\(place) is none of: \(failures)") }
        }
        if let type = schema["type"].text, !value.has(type: type) { found.append("\(place) is no \(type)") }
        if !schema["enum"].items.isEmpty, !schema["enum"].items.contains(value) {
            found.append("\(place) is none of the values: \(value)")
        }
        if let constant = schema.fields["const"], constant != value { found.append("\(place) is not \(constant)") }
        if case .number(let number) = value {
            if case .number(let least) = schema["minimum"], number < least { found.append("\(place) < \(least)") }
            if case .number(let most) = schema["maximum"], number > most { found.append("\(place) > \(most)") }
        }
        for (index, item) in value.items.enumerated() where schema.fields["items"] != nil {
            found += try problems(item, schema["items"], at: "\(place)[\(index)]")
        }
        return try found + problems(value.fields, ofObject: schema, at: place)
    }

    private func problems(
        _ fields: [String: JSONValue],
        ofObject schema: JSONValue,
        at place: String
    ) throws -> [String] {
        guard schema["type"] == .string("object") else { return [] }
        let required = schema["required"].items.compactMap(\.text)
        var found = required.filter { fields[$0] == nil }.map { "\(place).\($0) is missing" }
        let custom = schema["patternProperties"].fields.values.first
        for (name, field) in fields {
            let other = name.hasPrefix("X-") ? custom : schema.fields["additionalProperties"]
            guard let known = schema["properties"].fields[name] ?? other else {
                if schema.fields["properties"] != nil { found.append("\(place).\(name) is not in the schema") }
                continue
            }
            if known == .bool(false) { found.append("\(place).\(name) is not in the schema") }
            found += try problems(field, known, at: "\(place).\(name)")
        }
        return found
    }
}

extension JSONValue {
    /// Returns true if it is of this type of JSON Schema.
    fileprivate func has(type: String) -> Bool {
        switch self {
        case .string: type == "string"
        case .number(let number): type == "number" || type == "integer" && number == number.rounded()
        case .bool: type == "boolean"
        case .array: type == "array"
        case .object: type == "object"
        case .null: type == "null"
        }
    }
}

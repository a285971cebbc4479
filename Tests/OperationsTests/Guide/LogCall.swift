/// A call in the sources that writes a line of the log.
struct LogCall {
    /// The forms in which a message is given.
    enum Form: Hashable {
        /// `logger.notice("…")`, with the level.
        case leveled(String)
        /// `logger.log(level: …, "…")` and `log(.notice, "…")`.
        case log
        /// `headline: "…"`, in a call of what logs it.
        case headline
    }

    /// The message of a call.
    enum Message: Hashable {
        /// It is no call that logs, or passes on what another call says.
        case none
        case texts([String], levels: Set<String>)
        case unreadable
    }

    var form: Form
    /// The text after the parenthesis or colon that opens its arguments.
    var rest: Substring

    /// The lines that a call may have.
    static let mostLines = 14

    private static let forms: [(text: String, form: Form)] = {
        let others: [(text: String, form: Form)] = [
            (text: "logger.log(", form: .log), (text: " log(", form: .log), (text: "headline: ", form: .headline),
        ]
        return LoggedMessage.levels.sorted().map { (text: "logger.\($0)(", form: Form.leveled($0)) } + others
    }()

    /// Returns the calls that begin in a line.
    static func calls(in line: Substring) -> [LogCall] {
        forms.compactMap { text, form in
            guard let range = line.firstRange(of: text) else { return nil }
            if form == .log, line[..<range.lowerBound].hasSuffix("func") { return nil }
            return LogCall(form: form, rest: line[range.upperBound...])
        }
    }

    /// Returns the arguments of a call as they are written.
    ///
    /// - Parameter text: The text after the parenthesis that opens them.
    /// - Returns: The arguments, in order.
    static func arguments(of text: String) -> [String] {
        var arguments = [""]
        // The quotation marks and brackets that are open.
        var open: [Character] = ["("]
        var isEscaped = false
        for character in text {
            if open.last == "\"" {
                if isEscaped {
                    isEscaped = false
                    if character == "(" { open.append("(") }
                } else if character == "\\" {
                    isEscaped = true
                } else if character == "\"" {
                    open.removeLast()
                }
            } else {
                if "([{\"".contains(character) { open.append(character) }
                if ")]}".contains(character) {
                    open.removeLast()
                    if open.isEmpty { break }
                }
                if character == ",", open.count == 1 {
                    arguments.append("")
                    continue
                }
            }
            arguments[arguments.count - 1].append(character)
        }
        return arguments.map { String($0.drop(while: \.isWhitespace)) }
    }

    /// Returns the texts of the literals in an expression, other than those in interpolations.
    static func literals(in expression: String) -> [String] {
        var literals: [String] = []
        var isInside = false
        var depth = 0
        var isEscaped = false
        for character in expression {
            if isInside, depth == 0, !isEscaped, character == "\"" {
                isInside = false
                continue
            }
            if !isInside {
                guard character == "\"" else { continue }
                isInside = true
                literals.append("")
                continue
            }
            if depth > 0 {
                if character == "(" { depth += 1 }
                if character == ")" { depth -= 1 }
            } else if isEscaped {
                if character == "(" { depth = 1 }
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            }
            literals[literals.count - 1].append(character)
        }
        return literals
    }

    func message(among arguments: [String]) -> Message {
        switch form {
        case .leveled(let level): return Self.message(in: arguments[0], levels: [level])
        case .headline: return arguments[0].hasPrefix("String") ? .none : Self.message(in: arguments[0], levels: [])
        case .log:
            guard arguments.count > 1, Self.isLevel(arguments[0]) else { return .none }
            return Self.message(in: arguments[1], levels: Self.levels(in: arguments[0]))
        }
    }

    private static func message(in expression: String, levels: Set<String>) -> Message {
        let literals = literals(in: expression)
        // The call passes on what others say.
        let passedOn: Set = ["message", "headline"]
        if literals.isEmpty {
            let name = expression.split(separator: ".").last.map(String.init) ?? ""
            return passedOn.contains(name) ? .none : .unreadable
        }
        if literals.count == 1, passedOn.contains(where: { literals[0] == "\\(\($0))" }) { return .none }
        return literals.contains { $0.contains("\\(") } ? .unreadable : .texts(literals, levels: levels)
    }

    private static func isLevel(_ expression: String) -> Bool {
        expression.hasPrefix(".") || expression.hasPrefix("level") || expression.contains(" ? ")
    }

    /// Returns the levels that an expression names, without those in the condition of a choice.
    private static func levels(in expression: String) -> Set<String> {
        let values = expression.firstRange(of: " ? ").map { expression[$0.upperBound...] } ?? expression[...]
        let words = values.split { !$0.isLetter }.map(String.init)
        return Set(words).intersection(LoggedMessage.levels)
    }
}

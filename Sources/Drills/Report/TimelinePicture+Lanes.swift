/// The events of a drill, one lane below the other; each lane moves the place of the next.
extension TimelinePicture {
    mutating func drawParts() {
        for part in record.parts {
            label(part.name, at: y + 12)
            let (start, end) = (scale.left, scale.right)
            body += line(start, y + 8, end, y + 8, "up")
            for fault in part.faults {
                let number = (faults.firstIndex { $0 == (part.name, fault) } ?? 0) + 1
                let words = "\(number)  \(fault.title)"
                let x = scale.x(fault.start)
                if fault.isInstant {
                    body += """
                        <g><title>\(words) at \(Self.time(fault.start))</title>\
                        <path class="fault" d="M\(Self.number(x)) \(Self.number(y + 1))l7 7l-7 7l-7-7z"/></g>
                        """
                } else {
                    let until = fault.end.map { "until \(Self.time($0))" } ?? "for good"
                    let width = max(scale.x(fault.end ?? record.span.end) - x, 3)
                    body += box(x, y + 1, width, 14, "fault", "\(words), from \(Self.time(fault.start)) \(until)")
                }
                let isNearEnd = x > scale.right - 150
                body += text(
                    words,
                    at: isNearEnd ? x - 10 : x + (fault.isInstant ? 11 : 5),
                    y + 12.5,
                    isNearEnd ? "note end" : "note"
                )
            }
            y += 22
        }
        if !record.parts.isEmpty { y += 8 }
    }

    /// Draws the breaks of the encoders, and below them the date ranges that players got.
    mutating func drawBreaks() {
        guard !record.breaks.isEmpty || !record.ranges.isEmpty else { return }
        label("breaks", at: y + 12)
        for (index, planned) in record.breaks.enumerated() {
            let (x, end) = (scale.x(planned.start), scale.x(planned.end))
            let words = "break \(index + 1), from \(Self.time(planned.start)) to \(Self.time(planned.end))"
            body += box(x, y + 1, max(end - x, 2), 8, "planned", words)
            for splice in [x, end] { body += line(splice, y - 1, splice, y + 20, "splice") }
        }
        for range in record.ranges
        where range.start < record.span.end && range.end ?? record.span.end > record.span.start {
            let (x, end) = (scale.x(range.start), scale.x(range.end ?? record.span.end))
            let until = range.end.map { "to \(Self.time($0))" } ?? "and not over"
            let words = "\(range.id): from \(Self.time(range.start)) \(until), listed at \(Self.time(range.listed))"
            body += box(x, y + 11, max(end - x, 2), 8, range.end == nil ? "range open" : "range", words)
        }
        y += 26
    }

    mutating func drawRenditions() {
        for rendition in record.renditions {
            label(rendition.name, at: y + 14)
            for slot in rendition.slots where slot.span.end > record.span.start && slot.span.start < record.span.end {
                let (x, end) = (scale.x(slot.span.start), scale.x(slot.span.end))
                let words =
                    "\(slot.number): \(slot.kind.rawValue), \(Self.time(slot.span.start)) to \(Self.time(slot.span.end)), "
                    + "listed at \(Self.time(slot.listed))"
                body += box(x + 0.5, y, max(end - x - 1, 0.5), 20, slot.kind.rawValue, words)
                if slot.isDiscontinuity {
                    body += """
                        <g><title>discontinuity at \(Self.time(slot.span.start))</title>\
                        <path class="break" d="M\(Self.number(x)) \(Self.number(y - 3))v26m-4-26h8m-8 26h8"/></g>
                        """
                }
            }
            y += 22
            drawSources(of: rendition)
            y += 14
        }
    }

    /// A strip below a rendition's slots: which input they are from.
    private mutating func drawSources(of rendition: DrillRecord.Rendition) {
        for source in record.sources(of: rendition) {
            let (x, end) = (scale.x(source.span.start), scale.x(source.span.end))
            let style = source.input.hasPrefix("backup") ? "source standby" : "source"
            body += box(x + 0.5, y, max(end - x - 1, 1), 3, style, "from \(source.input)")
            if end - x > 60 { body += text(source.input, at: x + 3, y + 12, "note") }
        }
        if !record.sources(of: rendition).isEmpty { y += 13 }
    }

    mutating func drawEvents() {
        let shown = record.events.filter { record.span.start...record.span.end ~= $0.time }
        guard !shown.isEmpty else { return }
        label("events", at: y + 9)
        for event in shown {
            let words = "\(Self.time(event.time)) \(event.source): \(event.kind). \(event.message)"
            body += """
                <g><title>\(words)</title><circle class="event \(event.kind)" cx="\(Self.number(scale.x(event.time)))" \
                cy="\(Self.number(y + 5))" r="3.2"/></g>
                """
        }
        y += 22
    }

    mutating func drawBuffer() {
        let levels = record.player.buffer
        let height = 64.0
        label("player buffer", at: y + 12)
        let top = max(levels.map(\.level).max() ?? 0, 1000)
        func level(_ level: Int) -> Double { y + height - Double(level) / Double(top) * height }
        body += line(scale.left, y + height, scale.right, y + height, "base")
        label("\(Decimals.text(Double(top) / 1000, places: 1)) s", at: y + 28, isQuiet: true)
        if let first = levels.first, let last = levels.last {
            let points = levels.map { "L\(Self.number(scale.x($0.time))) \(Self.number(level($0.level)))" }
            let curve = points.joined().dropFirst()
            let (start, end) = (Self.number(scale.x(first.time)), Self.number(scale.x(last.time)))
            let floor = Self.number(y + height)
            body += """
                <path class="level area" d="M\(start) \(floor)L\(String(curve))L\(end) \(floor)z"/>\
                <path class="level" d="M\(String(curve))"/>
                """
        }
        for stall in record.player.stalls {
            let x = scale.x(stall.start)
            let width = max(scale.x(stall.end) - x, 2)
            let words = "stall of \(Self.time(stall.length)) from \(Self.time(stall.start))"
            body += box(x, y, width, height, "stall", words)
            // Short ones have their words under the pointer only.
            if width > 50 { body += text("stall \(Self.time(stall.length))", at: x + 4, y + 12, "note") }
        }
        for jump in record.player.jumps {
            let x = scale.x(jump.time)
            let words = "skipped \(Self.time(jump.length)) at \(Self.time(jump.time))"
            body += """
                <g><title>\(words)</title><path class="jump" d="M\(Self.number(x - 5)) \(Self.number(y + 4))l6 5l-6 5m5-10l6 \
                5l-6 5"/></g>
                """
        }
        if let started = record.player.started, started > record.span.start {
            body += text("▶ plays", at: scale.x(started) + 3, y + height - 5, "note")
            body += line(scale.x(started), y + height - 14, scale.x(started), y + height, "base")
        }
        y += height + 16
    }

    /// Draws the times without a change of playlists, against the limit.
    mutating func drawAges() {
        guard record.targetDuration > 0, !record.ages.isEmpty else { return }
        let height = 34.0
        let limit = Double(record.targetDuration) * 1500
        let top = max(Double(record.ages.map(\.age).max() ?? 0), limit * 1.15)
        label("playlist age", at: y + 12)
        label("limit \(Decimals.text(limit / 1000, places: 1)) s", at: y + 28, isQuiet: true)
        let floor = y + height
        func level(_ age: Double) -> Double { floor - age / top * height }
        for age in record.ages {
            let x = scale.x(age.time)
            let words = "\(age.rendition): \(Self.time(age.age)) without a change until \(Self.time(age.time))"
            let style = Double(age.age) > limit ? "age late" : "age"
            body += "<g><title>\(words)</title>\(line(x, floor, x, level(Double(age.age)), style))</g>"
        }
        body += line(scale.left, level(limit), scale.right, level(limit), "limit")
        body += line(scale.left, floor, scale.right, floor, "base")
        y = floor + 10
    }
}

extension DrillRecord {
    /// An input and the time whose slots it fills.
    struct Source: Hashable {
        var input: String
        var span: Span
    }

    /// The inputs that fill a rendition's slots, by the switches that the packager reported; none if it reported none.
    func sources(of rendition: Rendition) -> [Source] {
        guard let first = rendition.slots.first, let last = rendition.slots.last else { return [] }
        let switches = events.filter { event in
            event.kind == "switched" && event.input != nil && event.concerns(rendition.name)
        }
        // A switch that two packagers report counts once.
        let times = switches.map { event in
            let slot = event.slot.flatMap { number in rendition.slots.first { $0.number == number } }
            return (input: event.input ?? "", time: slot?.span.start ?? event.time)
        }.sorted { $0.time < $1.time }
        var sources: [Source] = []
        if let input = parts.first?.name, !switches.isEmpty {
            sources = [Source(input: input, span: Span(first.span.start, last.span.end))]
        }
        for (input, time) in times where sources.last?.input != input {
            if var before = sources.popLast() {
                before.span = Span(before.span.start, time)
                if before.span.length > 0 { sources.append(before) }
            }
            sources.append(Source(input: input, span: Span(time, last.span.end)))
        }
        return sources
    }
}

/// Draws a record against time: faults, the input that each segment came from, and the player's buffer.
///
/// Nothing is said by colour alone: gaps are hatched, fillers dotted, and everything has its words when pointed at.
struct TimelinePicture {
    let record: DrillRecord
    let scale: TimelineScale
    var body: Markup = ""
    /// The top of the next lane.
    var y = 46.0
    private(set) var faults: [(part: String, fault: DrillRecord.Fault)] = []

    static let width = 1160.0
    static let gutter = 132.0

    init(_ record: DrillRecord) {
        self.record = record
        scale = TimelineScale(span: record.span, left: Self.gutter, width: Self.width - Self.gutter - 16)
        faults = record.parts.flatMap { part in part.faults.map { (part.name, $0) } }
            .sorted { $0.1.start < $1.1.start }
    }

    /// SVG.
    func render() -> Markup {
        var picture = self
        picture.drawParts()
        picture.drawBreaks()
        picture.drawRenditions()
        picture.drawEvents()
        picture.drawBuffer()
        picture.drawAges()
        let height = picture.y + 4
        let frame = picture.drawFrame(height: height)
        return """
            <svg class="timeline" viewBox="0 0 \(Self.number(Self.width)) \(Self.number(height))" role="img" \
            aria-label="Timeline of the drill">
            \(Self.patterns)
            \(frame)
            \(picture.body)
            </svg>
            """
    }

    // MARK: What lies behind and above

    private func drawFrame(height: Double) -> Markup {
        var frame: Markup = ""
        if record.span.start < 0 {
            let width = scale.x(0) - scale.left
            frame += box(scale.left, 30, width, height - 34, "warm-up", "before the drill's zero")
        }
        for (index, (_, fault)) in faults.enumerated() {
            let x = scale.x(fault.start)
            let end = fault.isInstant ? x : scale.x(fault.end ?? record.span.end)
            frame += box(x, 30, max(end - x, 1), height - 34, "while", "\(index + 1)  \(fault.title)")
            // Numbers of faults that begin together stand side by side.
            let shift = Double(faults[..<index].count { abs(scale.x($0.fault.start) - x) < 14 }) * 17
            frame += """
                <circle class="number" cx="\(Self.number(x + shift))" cy="30" r="8"/>\
                \(text("\(index + 1)", at: x + shift, 34, "number"))
                """
        }
        for tick in scale.ticks {
            let x = scale.x(tick)
            frame += line(x, 38, x, height - 4, tick == 0 ? "grid zero" : "grid")
            frame += text(Self.time(tick), at: x, 14, "tick")
        }
        return frame
    }

    private static let patterns: Markup = """
        <defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">\
        <rect class="hatch" width="2" height="6"/></pattern><pattern id="dots" width="5" height="5" \
        patternUnits="userSpaceOnUse"><circle class="dots" cx="2" cy="2" r="1.2"/></pattern></defs>
        """
}

/// A report as a page that needs nothing but itself: no script, no font, no picture from elsewhere.
struct ReportPage {
    let report: DrillReport

    /// HTML.
    func render() -> String {
        let record = report.record
        let isEmpty = record.span.length == 0
        let sections: [Markup] =
            [header, checks]
            + (isEmpty
                ? []
                : [
                    "<section class=\"wide\">\n<h2>Timeline</h2>\n\(TimelinePicture(record).render())\n\(legend)</section>",
                    faults, measurements, findings, events,
                ])
            + [commands]
        return Self.document(title: "\(report.name) · drill", Markup(sections)).description
    }

    /// A whole page in the style of reports.
    static func document(title: String, _ content: Markup) -> Markup {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>\(title)</title>
        <style>
        \(Markup(stringLiteral: ReportStyle.css))
        </style>
        </head>
        <body>
        <main>
        \(content)
        </main>
        </body>
        </html>

        """
    }

    static func badge(_ outcome: DrillReport.Outcome) -> Markup {
        let sign =
            switch outcome {
            case .passed: "✓"
            case .failed: "✗"
            case .skipped: "–"
            case .observed: "●"
            }
        return "<span class=\"badge \(outcome.rawValue)\"><b>\(sign)</b> \(outcome.title)</span>"
    }

    // MARK: Sections

    private var header: Markup {
        let record = report.record
        let reason: Markup = report.reason.map { "<p class=\"reason\">\($0)</p>" } ?? ""
        let watched = TimelinePicture.time(record.span.end)
        let when: Markup =
            record.zero.isEmpty ? "" : "<p class=\"when\">Zero is \(record.zero) · watched for \(watched)</p>"
        return """
            <header>
            <p class="kind">Drill</p>
            <h1>\(report.name) \(Self.badge(report.outcome))</h1>
            <p class="lead">\(report.description)</p>
            \(reason)\(when)
            </header>
            """
    }

    private var checks: Markup {
        guard !report.checks.isEmpty else { return "" }
        let rows = report.checks.map { check -> Markup in
            let metric = check.limits.metric
            let value = check.value.map { metric.text($0) } ?? "not measured"
            let verdict: Markup =
                check.isMet ? "<span class=\"met\">✓ met</span>" : "<span class=\"missed\">✗ not met</span>"
            return
                "<tr><td>\(metric.title)</td><td>\(check.limits.text)</td><td>\(value)</td><td>\(verdict)</td></tr>"
        }
        return Self.table("Expectations", head: ["", "Expected", "Measured", ""], rows)
    }

    private var legend: Markup {
        """
        <p class="legend"><span><i class="key media"></i>media</span><span><i class="key gap"></i>gap</span>\
        <span><i class="key filler"></i>filler</span><span><i class="key fault"></i>fault</span>\
        <span><i class="key stall"></i>stall</span><span><i class="key from"></i>from an input</span>\
        <span><i class="key from standby"></i>from a backup</span><span>⌶ discontinuity</span>\
        <span><i class="key planned"></i>break</span><span><i class="key range"></i>as players were told</span></p>

        """
    }

    private var faults: Markup {
        guard !report.measurements.faults.isEmpty else { return "" }
        let rows = report.measurements.faults.enumerated().map { index, outcome -> Markup in
            let fault = outcome.fault
            let end = fault.isInstant ? "–" : fault.end.map(TimelinePicture.time) ?? "stays"
            let noticed = outcome.detection.map { "\($0) ms, by \(outcome.sign ?? "")" } ?? "nobody"
            let recovery = outcome.isOver ? outcome.recovery.map(TimelinePicture.time) ?? "never" : "–"
            return """
                <tr><td>\(index + 1)  \(fault.title)</td><td>\(outcome.part)</td>\
                <td>\(TimelinePicture.time(fault.start))</td><td>\(end)</td><td>\(noticed)</td><td>\(recovery)</td></tr>
                """
        }
        return Self.table("Faults", head: ["", "Done to", "From", "Until", "Noticed after", "Media back after"], rows)
    }

    private var measurements: Markup {
        let figures = Metric.allCases.compactMap { metric in
            report.measurements[metric].map {
                "<div><dd>\(metric.text($0))</dd><dt>\(metric.title)</dt></div>" as Markup
            }
        }
        return "<section>\n<h2>Measurements</h2>\n<dl class=\"figures\">\n\(Markup(figures))\n</dl>\n</section>"
    }

    /// The findings of faults, word for word.
    private var findings: Markup {
        let record = report.record
        let all =
            record.violations.map { ("Rule", $0) } + (record.differences ?? []).map { ("Pair", $0) }
            + record.reuses.map { ("Reuse", $0) } + (record.audience?.failures ?? []).map { ("Request", $0) }
        guard !all.isEmpty else { return "" }
        let rows = all.prefix(200).map { kind, finding -> Markup in
            "<tr><td>\(finding.time.map(TimelinePicture.time) ?? "–")</td><td>\(kind)</td><td>\(finding.message)</td></tr>"
        }
        return Self.table("Findings", head: ["At", "", ""], rows)
    }

    private var events: Markup {
        guard !report.record.events.isEmpty else { return "" }
        let rows = report.record.events.map { event -> Markup in
            let place = ([event.input].compactMap(\.self) + event.renditions).joined(separator: " · ")
            return """
                <tr><td>\(TimelinePicture.time(event.time))</td><td>\(event.source)</td><td>\(event.kind)</td>\
                <td>\(place)</td><td>\(event.message)</td></tr>
                """
        }
        return Self.table("Events", head: ["At", "Source", "Event", "", ""], rows)
    }

    private var commands: Markup {
        guard !report.commands.isEmpty else { return "" }
        let lines = report.commands.map { "<dt>\($0.part)</dt><dd><code>\($0.line)</code></dd>" as Markup }
        return
            "<section class=\"wide\">\n<h2>What ran</h2>\n<dl class=\"commands\">\n\(Markup(lines))\n</dl>\n</section>"
    }

    static func table(_ title: String, head: [String], _ rows: [Markup]) -> Markup {
        let head = Markup(head.map { "<th scope=\"col\">\($0)</th>" }, separator: "")
        return """
            <section>
            <h2>\(title)</h2>
            <div class="scroll"><table>
            <thead><tr>\(head)</tr></thead>
            <tbody>
            \(Markup(rows))
            </tbody>
            </table></div>
            </section>
            """
    }
}

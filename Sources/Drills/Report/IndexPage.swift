/// A page with all drills of one run, the failed ones first.
struct IndexPage {
    let reports: [DrillReport]

    /// HTML.
    func render() -> String {
        let counts = [DrillReport.Outcome.failed, .skipped, .passed, .observed].compactMap { outcome -> String? in
            let count = reports.count { $0.outcome == outcome }
            return count == 0 ? nil : "\(count) \(outcome.title.lowercased())"
        }
        let columns: [Metric] = [.gap, .discontinuities, .stall, .detection, .recovery]
        let order: [DrillReport.Outcome] = [.failed, .skipped, .observed, .passed]
        let rows = order.flatMap { outcome in reports.filter { $0.outcome == outcome } }.map { report -> Markup in
            let values = columns.map { metric -> Markup in
                let isMissed = report.checks.contains { $0.limits.metric == metric && !$0.isMet }
                let text = report.measurements[metric].map { metric.text($0) } ?? "–"
                return isMissed ? "<td class=\"missed\">✗ \(text)</td>" : "<td>\(text)</td>"
            }
            let missed = report.checks.filter { !$0.isMet && !columns.contains($0.limits.metric) }
                .map { "\($0.limits.metric.title) \($0.value.map($0.limits.metric.text) ?? "not measured")" }
            let remark = ([report.reason].compactMap(\.self) + missed).joined(separator: " · ")
            return """
                <tr><td><a href="\(report.name).html">\(report.name)</a>\
                \(remark.isEmpty ? "" : "<br><small>\(remark)</small>" as Markup)</td>\
                <td>\(ReportPage.badge(report.outcome))</td>\(Markup(values, separator: ""))</tr>
                """
        }
        let content: Markup = """
            <header>
            <p class="kind">Drills</p>
            <h1>\(counts.joined(separator: ", "))</h1>
            </header>
            \(ReportPage.table("All drills", head: ["", ""] + columns.map(\.title), rows))
            """
        return ReportPage.document(title: "Drills · \(counts.joined(separator: ", "))", content).description
    }
}

/// The style of reports: light and dark, on screens and on paper.
enum ReportStyle {
    static let css = """
        :root {
          --paper: #fff; --ink: #16191d; --quiet: #646c76; --line: #e2e5e9; --wash: #f5f6f8;
          --media: #4a86c8; --standby: #8b63c4; --filler: #b27f00; --bad: #c2331c; --good: #1c7a48;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --paper: #14171b; --ink: #e8eaed; --quiet: #98a1ac; --line: #2b3037; --wash: #1c2026;
            --media: #5b95d6; --standby: #a382dc; --filler: #d9a52b; --bad: #f0745c; --good: #53bd86;
          }
        }
        * { box-sizing: border-box; }
        body {
          margin: 0; background: var(--paper); color: var(--ink);
          font: 15px/1.5 system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif;
          font-variant-numeric: tabular-nums; print-color-adjust: exact; -webkit-print-color-adjust: exact;
        }
        main { max-width: 1240px; margin: 0 auto; padding: 40px 32px 64px; }
        header { max-width: 820px; margin-bottom: 28px; }
        h1 { font-size: 30px; line-height: 1.2; font-weight: 650; margin: 0 0 10px; letter-spacing: -0.01em; }
        h2 { font-size: 13px; font-weight: 650; margin: 34px 0 8px; color: var(--quiet); }
        p { margin: 0 0 8px; }
        .kind, .when { color: var(--quiet); font-size: 13px; margin-bottom: 4px; }
        .lead { font-size: 17px; }
        .reason { border-left: 3px solid var(--bad); padding-left: 12px; white-space: pre-line; }
        a { color: inherit; text-decoration-color: var(--media); text-underline-offset: 3px; }
        .badge {
          display: inline-block; font-size: 14px; font-weight: 600; padding: 2px 11px 2px 9px; border-radius: 99px;
          border: 1.5px solid currentColor; vertical-align: middle; letter-spacing: 0; white-space: nowrap;
        }
        h1 .badge { margin-left: 8px; }
        .badge.passed, .met { color: var(--good); }
        .badge.failed, .missed { color: var(--bad); }
        .badge.skipped { color: var(--filler); }
        .badge.observed { color: var(--media); }
        .met, .missed { font-weight: 600; white-space: nowrap; }
        .scroll { overflow-x: auto; }
        table { border-collapse: collapse; min-width: 480px; }
        th, td { text-align: left; padding: 6px 28px 6px 0; vertical-align: top; border-bottom: 1px solid var(--line); }
        th { font-size: 13px; font-weight: 500; color: var(--quiet); }
        small { color: var(--quiet); }
        code { font: 13px/1.5 ui-monospace, "DejaVu Sans Mono", monospace; overflow-wrap: anywhere; }
        .figures { display: grid; grid-template-columns: repeat(auto-fill, minmax(200px, 1fr)); gap: 0 28px; margin: 0; }
        .figures div { display: flex; flex-direction: column; border-top: 1px solid var(--line); padding: 8px 0 14px; }
        .figures dd { margin: 0; font-size: 17px; font-weight: 600; }
        .figures dt { color: var(--quiet); font-size: 13px; }
        .commands dt { color: var(--quiet); font-size: 13px; }
        .commands dd { margin: 0 0 10px; background: var(--wash); padding: 8px 12px; border-radius: 6px; }
        .timeline { display: block; width: 100%; height: auto; }
        .timeline text { font-size: 11px; fill: var(--ink); }
        .timeline .label { text-anchor: end; }
        .timeline .quiet, .timeline .tick { fill: var(--quiet); }
        .timeline .tick { text-anchor: middle; }
        .timeline .note { font-size: 10px; paint-order: stroke; stroke: var(--paper); stroke-width: 5px; }
        .timeline .end { text-anchor: end; }
        .timeline .grid, .timeline .base { stroke: var(--line); }
        .timeline .zero { stroke: var(--quiet); }
        .timeline .warm-up { fill: var(--wash); }
        .timeline .while { fill: var(--bad); opacity: 0.08; }
        .timeline circle.number { fill: var(--bad); }
        .timeline text.number { fill: var(--paper); text-anchor: middle; font-weight: 650; }
        .timeline .up { stroke: var(--good); stroke-width: 4; }
        .timeline .fault { fill: var(--paper); stroke: var(--bad); stroke-width: 1.5; rx: 3px; }
        .timeline .media { fill: var(--media); rx: 2px; }
        .timeline .gap { fill: url(#hatch); stroke: var(--bad); rx: 2px; }
        .timeline .planned { fill: none; stroke: var(--quiet); stroke-width: 1.2; rx: 2px; }
        .timeline .range { fill: var(--standby); opacity: 0.75; rx: 2px; }
        .timeline .range.open { fill: none; stroke: var(--bad); stroke-dasharray: 3 2; }
        .timeline line.splice { stroke: var(--quiet); stroke-dasharray: 2 2; }
        .timeline .filler { fill: url(#dots); stroke: var(--filler); rx: 2px; }
        .timeline .hatch { fill: var(--bad); }
        .timeline .dots { fill: var(--filler); }
        .timeline .break { fill: none; stroke: var(--ink); stroke-width: 2; }
        .timeline .source { fill: var(--media); }
        .timeline .standby { fill: var(--standby); }
        .timeline circle.event { fill: var(--quiet); stroke: none; }
        .timeline circle.event.switched, .timeline circle.event.selected { fill: var(--standby); }
        .timeline circle.event:is(.gap, .input-lost, .request-failed, .stall) { fill: var(--bad); opacity: 1; }
        .timeline circle.event:is(.media, .restored) { fill: var(--good); }
        .timeline circle.event.filler { fill: var(--filler); }
        .timeline .level { fill: none; stroke: var(--media); stroke-width: 1.5; }
        .timeline .area { fill: var(--media); stroke: none; opacity: 0.16; }
        .timeline .stall { fill: var(--bad); opacity: 0.4; }
        .timeline .jump { fill: none; stroke: var(--bad); stroke-width: 1.5; }
        .timeline .age { stroke: var(--quiet); stroke-width: 2; }
        .timeline .late { stroke: var(--bad); }
        .timeline .limit { stroke: var(--bad); stroke-dasharray: 4 4; }
        .legend { display: flex; flex-wrap: wrap; gap: 4px 20px; font-size: 12px; color: var(--quiet); margin-top: 8px; }
        .key { display: inline-block; width: 14px; height: 10px; margin-right: 6px; border-radius: 2px; }
        .key.media { background: var(--media); }
        .key.gap { border: 1px solid var(--bad); }
        .key.gap { background: repeating-linear-gradient(45deg, var(--bad) 0 2px, transparent 2px 5px); }
        .key.filler { border: 1px solid var(--filler); }
        .key.filler { background: radial-gradient(var(--filler) 1px, transparent 1.2px) 0 0 / 4px 4px; }
        .key.planned { border: 1.2px solid var(--quiet); }
        .key.range { background: var(--standby); }
        .key.fault { border: 1.5px solid var(--bad); }
        .key.stall { background: var(--bad); opacity: 0.4; }
        .key.from { height: 3px; vertical-align: middle; background: var(--media); }
        .key.from.standby { background: var(--standby); }
        @media (max-width: 700px) { main { padding: 24px 16px; } h1 { font-size: 24px; } .timeline { min-width: 900px; } }
        .wide { overflow-x: auto; }
        @media print {
          :root { --paper: #fff; --ink: #000; --quiet: #555; --line: #ccc; --wash: #f3f3f3; }
          main { max-width: none; padding: 0; }
          section { break-inside: avoid; }
          @page { size: A4 landscape; margin: 14mm; }
        }
        """
}

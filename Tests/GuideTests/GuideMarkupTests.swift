import Testing

@testable import Guide

/// Markdown as the guide has it, and the HTML that becomes of it.
@Suite struct GuideMarkupTests {
    private static var markup: GuideMarkup {
        GuideMarkup(spans: GuideSpans { $0 == "known.md" ? "known.html" : nil })
    }

    @Test(
        arguments: [
            ("a & b < \"c\"", "a &amp; b &lt; &quot;c&quot;"),
            ("give `--listen <b>`, twice", "give <code>--listen &lt;b&gt;</code>, twice"),
            ("**Set both.** *Settings → Output*", "<strong>Set both.</strong> <em>Settings → Output</em>"),
            ("ts\\* and 2 * 3 * 4", "ts* and 2 * 3 * 4"),
            ("[`a` page](known.md), [another](../x.swift)", "<a href=\"known.html\"><code>a</code> page</a>, another"),
            ("[a] [b](known.md) `[c](known.md)`", "[a] <a href=\"known.html\">b</a> <code>[c](known.md)</code>"),
            ("one `tick and [a bracket", "one `tick and [a bracket"),
        ]
    )
    func spansBecomeElements(text: String, html: String) {
        #expect(Self.markup.spans.html(Substring(text)) == html)
    }

    @Test func headingHasTheAnchorOfItsWords() {
        #expect(
            Self.markup.html("## What a pair needs: `--peer` (all)\n#t=1")
                == "<h2 id=\"what-a-pair-needs---peer-all\">What a pair needs: <code>--peer</code> (all)</h2>\n<p>#t=1</p>\n"
        )
    }

    @Test func linesOfAParagraphAreOneText() {
        #expect(Self.markup.html("one\ntwo\n\nthree\n") == "<p>one two</p>\n<p>three</p>\n")
    }

    @Test func pictureIsLeftOut() {
        #expect(Self.markup.html("one\n\n![a page](page.png)\n\ntwo") == "<p>one</p>\n<p>two</p>\n")
    }

    @Test func codeKeepsItsLines() {
        #expect(
            Self.markup.html("    a < b\n\n      c\n\nend") == "<pre><code>a &lt; b\n\n  c</code></pre>\n<p>end</p>\n"
        )
        #expect(Self.markup.html("```yaml\n- a\n```\nend") == "<pre><code>- a</code></pre>\n<p>end</p>\n")
        #expect(Self.markup.html("```\nnever closed") == "<pre><code>never closed</code></pre>\n")
    }

    @Test func listHasItemsOfSeveralLines() {
        let text = """
            It is so:
            - one
              more
            - two

            end
            """
        #expect(
            Self.markup.html(text)
                == "<p>It is so:</p>\n<ul>\n<li>one more</li>\n<li>two</li>\n</ul>\n<p>end</p>\n"
        )
    }

    @Test func stepsKeepTheirCodeAndTables() {
        let text = """
            1. Install it:

                   apt install x

            2. Choose:

               | a | b |
               |---|---|
               | 1 | 2 |
            """
        #expect(
            Self.markup.html(text) == """
                <ol>
                <li><p>Install it:</p>
                <pre><code>apt install x</code></pre>
                </li>
                <li><p>Choose:</p>
                <div class="scroll"><table>
                <thead><tr><th>a</th><th>b</th></tr>
                </thead>
                <tbody>
                <tr><td>1</td><td>2</td></tr>
                </tbody></table></div>
                </li>
                </ol>

                """
        )
    }

    @Test func barInACellStandsBehindABackslash() {
        let html = Self.markup.html("| a \\| b | `c` |\n|---|---|")
        #expect(html.contains("<tr><th>a | b</th><th><code>c</code></th></tr>"))
    }
}

/// The few shapes that it consists of.
extension TimelinePicture {
    mutating func label(_ words: String, at y: Double, isQuiet: Bool = false) {
        body += text(words, at: Self.gutter - 12, y, isQuiet ? "label quiet" : "label")
    }

    func text(_ words: String, at x: Double, _ y: Double, _ style: String) -> Markup {
        """
        <text class="\(style)" x="\(Self.number(x))" y="\(Self.number(y))">\(words)</text>

        """
    }

    func line(_ x: Double, _ y: Double, _ x2: Double, _ y2: Double, _ style: String) -> Markup {
        """
        <line class="\(style)" x1="\(Self.number(x))" y1="\(Self.number(y))" x2="\(Self.number(x2))" \
        y2="\(Self.number(y2))"/>

        """
    }

    func box(
        _ x: Double,
        _ y: Double,
        _ width: Double,
        _ height: Double,
        _ style: String,
        _ words: String
    ) -> Markup {
        """
        <rect class="\(style)" x="\(Self.number(x))" y="\(Self.number(y))" width="\(Self.number(width))" \
        height="\(Self.number(height))"><title>\(words)</title></rect>

        """
    }

    static func number(_ value: Double) -> String { Decimals.text(value, places: 1) }

    /// Milliseconds as seconds.
    static func time(_ milliseconds: Int) -> String { "\(Decimals.text(Double(milliseconds) / 1000, places: 2)) s" }
}

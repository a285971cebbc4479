/// Changes headers of subtitles so that FFmpeg gives a line for each row of their pages.
///
/// FFmpeg leaves out most rows without text of a page that suppresses its header (C7), so that nothing tells the height of
/// the others. Clearing C7 prevents that; the header is not shown in either case.
struct TeletextRowKeeper {
    private var latest: (magazine: Int, page: UInt8?, erases: Bool)?

    init() {}

    /// Changes the headers of a packet.
    mutating func change(_ packet: inout TeletextPacket) {
        packet.changeControl { header in
            guard var control = header.control else { return nil }
            let isRepeated = latest.map { $0.magazine == header.magazine && $0.page == header.page } ?? false
            let isSubtitle = control.isSubtitle && control.suppressesHeader && !control.isNewsflash
            // libzvbi forgets that the first header has erased the page, and FFmpeg reminds it of subtitles only.
            if isSubtitle, isRepeated, latest?.erases == true { control.erases = true }
            latest = (header.magazine, header.page, control.erases)
            if isSubtitle { control.suppressesHeader = false }
            return control
        }
    }
}

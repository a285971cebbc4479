/// The relation of an input's packets to the wall clock.
package enum InputPace: Sendable {
    /// They come as they are made; late is late.
    case live
    /// They are read from storage no faster than they play.
    case paced
    /// They are read as fast as they can be; the wall clock says nothing about them.
    case stored
}

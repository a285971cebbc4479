/// The field of its frame that a picture is, where it comes apart from the other one.
package enum FieldPlace: Hashable, Sendable {
    case first, second
}

/// Which field of its frame a picture is that comes as one field, apart from the other one.
package enum FieldPlace: Hashable, Sendable {
    case first, second
}

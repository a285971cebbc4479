/// The programs of a transport stream that are read; other containers have none to choose from.
package enum ProgramChoice: Hashable, Sendable {
    /// The first that has anything to read, for as long as it has.
    case first
    /// The programs with these numbers, while they exist.
    case numbers(Set<Int>)
}

import Archive
import Presentation

/// A journal for which a slot waits as long as a test takes.
///
/// A thread that stands still for a second is a disk that is late: slots that are published as fast as they can be made would
/// be missing from the journal then.
final class PatientJournal: PublicationConsumer {
    let journal: Journal
    let policy = ConsumerPolicy.precedes(within: .seconds(600))
    let interest: Publication.Kinds
    var name: String { journal.name }

    init(_ journal: Journal) {
        self.journal = journal
        interest = journal.interest
    }

    func take(_ batch: [Publication]) -> ConsumerResult { journal.take(batch) }

    func keepsUp(_ pace: ConsumerPace) { journal.keepsUp(pace) }
}

import Archive
import Channels
import ContentProtection
import Ingest
import MediaCore
import Operations
import PackagerConfig
import Packaging
import Presentation
import Segmenting

/// The parts of one channel that others are put together from.
struct ChannelComponents {
    let settings: ChannelConfiguration
    let resources: ChannelResources
    /// All that two packagers have to have in common to publish the same.
    let identity: [String: String]
    let storage: ChannelStorage
    let presentation: Presentation
    let endpoint: EndpointHealth
    let encryption: ChannelEncryption
    let channel: Channel
    /// The other member of the pair; nil without one.
    let peer: PeerWatch?
    let schedule: ChannelSchedule
    /// Knows the keys that players may have; nil if nothing is encrypted.
    let keyDirectory: (any KeyDirectory)?
    /// Stores of the newest key frames of inputs.
    let keyFrames: [InputID: NewestKeyFrames]

    /// The locations of the feeds, as operators call them.
    var feeds: [InputID: String] {
        let locations = zip(channel.configuration.inputs, settings.inputs + settings.backups)
        return Dictionary(uniqueKeysWithValues: locations.map { ($0, "\($1)") })
    }
}

/// The files of a channel.
struct ChannelStorage {
    /// Keeps what is published, for the process after this one; nil if nothing is kept.
    let journal: Journal?
    /// Writes the stream to a directory; nil if there is none.
    let mirror: DirectoryMirror?
    /// Writes keys to a directory; nil if there is none.
    let keyFiles: KeyFiles?
    /// Records events of the disk.
    let watch: DiskWatch
}

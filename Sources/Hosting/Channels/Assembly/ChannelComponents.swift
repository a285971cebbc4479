import Archive
import Assets
import Channels
import ContentProtection
import Ingest
import MediaCore
import ObjectStores
import Operations
import Origin
import PackagerConfig
import Packaging
import Presentation
import Recording
import Segmenting

/// The parts of one channel that others are put together from.
struct ChannelComponents {
    let settings: ChannelConfiguration
    let resources: ChannelResources
    /// The settings that two packagers must share to publish the same.
    let identity: [String: String]
    let storage: ChannelStorage
    let presentation: Presentation
    let endpoint: EndpointHealth
    let encryption: ChannelEncryption
    let channel: Channel
    /// The other member of the pair; nil without one.
    let peer: PeerWatch?
    /// Fills holes of the recording from the peer; nil if nothing is recorded, or there is no peer.
    let healing: RecordingHealing?
    /// Tells players which pathway to use; nil if there is one alone.
    let steering: ChannelSteering?
    let schedule: ChannelSchedule
    /// The keys that the key source has given.
    let keyStore: KeyStore
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
    /// Keeps the published window for the next process; nil if nothing is kept.
    let journal: Journal?
    /// Records the channel; nil if nothing is recorded.
    let recorder: Recorder?
    /// The finished assets that are made of the recording; nil if nothing is recorded.
    let assets: AssetLibrary?
    /// Writes the stream to a directory; nil if there is none.
    let mirror: DirectoryMirror?
    /// Writes keys to a directory; nil if there is none.
    let keyFiles: KeyFiles?
    /// Send the stream to buckets and servers.
    let pushes: [Push]
    /// Records events of the disk.
    let watch: DiskWatch

    /// The consumers of publications, in the order in which they are called.
    var consumers: [any PublicationConsumer] {
        // A journal passes its publications on to the recorder.
        let all: [(any PublicationConsumer)?] = [journal ?? recorder, mirror ?? keyFiles]
        return all.compactMap(\.self) + pushes
    }

    /// Keeps segments for as long as they are served, so that memory need not have them; nil for memory alone.
    var store: (any BodyStore)? { journal ?? recorder }
}

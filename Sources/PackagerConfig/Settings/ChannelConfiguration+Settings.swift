extension ChannelConfiguration: Configurable {
    static let settings =
        feedSettings + streamSettings + protectionSettings + lossSettings + storageSettings + monitoringSettings
}

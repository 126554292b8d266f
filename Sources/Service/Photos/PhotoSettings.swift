package import PhotoStore
package import Vault

/// Where photos and files made of them are kept, how they are rendered, and how many an account may send.
package struct PhotoSettings: Sendable {
    package var store: any PhotoStore
    package var renderer: PhotoRenderer
    package var spool: PhotoSpool
    package var webPs: ConversionCache.Settings
    /// For the renditions of guarded photos.
    package var guarded: ConversionCache.Settings
    package var quota: PhotoQuotas.Limits

    /// - Parameter guarded: the folder for the renditions of guarded photos.
    package init(
        store: any PhotoStore, renderer: PhotoRenderer, spool: PhotoSpool, webPs: ConversionCache.Settings,
        guarded: String, quota: PhotoQuotas.Limits = PhotoQuotas.Limits()
    ) {
        self.store = store
        self.renderer = renderer
        self.spool = spool
        self.webPs = webPs
        self.guarded = ConversionCache.Settings(folder: guarded)
        self.quota = quota
    }

    /// The same with caches in folders of this process. Called once, before the first file is made.
    /// - Throws: as ``ConversionCache/Settings/claimed()``.
    package func withClaimedCaches() throws -> PhotoSettings {
        var settings = self
        settings.webPs = try webPs.claimed()
        settings.guarded = try guarded.claimed()
        return settings
    }
}

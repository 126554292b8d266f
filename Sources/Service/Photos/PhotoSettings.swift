package import PhotoStore
package import Vault

/// Where photos and files made of them are kept, how they are rendered, and how many an account may send.
package struct PhotoSettings: Sendable {
    package var store: any PhotoStore
    package var renderer: PhotoRenderer
    package var spool: PhotoSpool
    package var webPs: ConversionCache.Settings
    /// The folder for the renditions of guarded photos.
    package var guarded: String
    package var quota: PhotoQuotas.Limits

    package init(
        store: any PhotoStore, renderer: PhotoRenderer, spool: PhotoSpool, webPs: ConversionCache.Settings,
        guarded: String, quota: PhotoQuotas.Limits = PhotoQuotas.Limits()
    ) {
        self.store = store
        self.renderer = renderer
        self.spool = spool
        self.webPs = webPs
        self.guarded = guarded
        self.quota = quota
    }
    /// Removes what an earlier process left in the caches: called once, before the first file is made.
    package func prepareCaches() throws {
        try webPs.prepare()
        try ConversionCache.Settings(folder: guarded).prepare()
    }
}

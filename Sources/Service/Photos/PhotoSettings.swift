package import PhotoStore
package import Vault

/// Where photos and WebPs of them are kept, how they are rendered, and how many an account may send.
package struct PhotoSettings: Sendable {
    package var store: any PhotoStore
    package var renderer: PhotoRenderer
    package var spool: PhotoSpool
    package var webPs: WebPCache.Settings
    package var quota: PhotoQuotas.Limits

    package init(
        store: any PhotoStore, renderer: PhotoRenderer, spool: PhotoSpool, webPs: WebPCache.Settings,
        quota: PhotoQuotas.Limits = PhotoQuotas.Limits()
    ) {
        self.store = store
        self.renderer = renderer
        self.spool = spool
        self.webPs = webPs
        self.quota = quota
    }
}

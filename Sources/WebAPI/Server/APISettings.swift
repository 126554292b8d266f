/// What an operator can set about the HTTP face.
package struct APISettings: Sendable {
    /// What one account may ask for; nil for no limit.
    package var accountLimit: RateLimitPolicy?
    /// What one client may ask for without a token; nil for no limit.
    package var clientLimit: RateLimitPolicy?
    /// How often one client may try to sign up or log in; nil for no limit.
    package var credentialLimit: RateLimitPolicy?
    /// How many proxies of the operator's own stand before the service.
    package var trustedProxies: Int
    /// Whose pages may use the service from a browser; nil for none but its own.
    package var allowedOrigins: AllowedOrigins?

    /// Sets what differs from the defaults: 1,200 requests a minute an account, 600 a client without one, 20 attempts
    /// to log in.
    package init(
        accountLimit: RateLimitPolicy? = RateLimitPolicy(name: "account", quota: 1200, window: .seconds(60)),
        clientLimit: RateLimitPolicy? = RateLimitPolicy(name: "client", quota: 600, window: .seconds(60)),
        credentialLimit: RateLimitPolicy? = RateLimitPolicy(name: "credentials", quota: 20, window: .seconds(60)),
        trustedProxies: Int = 0
    ) {
        self.accountLimit = accountLimit
        self.clientLimit = clientLimit
        self.credentialLimit = credentialLimit
        self.trustedProxies = trustedProxies
    }
}

import Domain

extension Setting {
    /// All, in the order of the documents.
    static let all: [Setting] = common + serving

    /// Those of every command.
    static let common: [Setting] = [
        .databaseURL, .ownerURL, .readURL, .dataDirectory, .share, .logLevel, NumberSetting.databaseTimeout.setting,
        .targetKinds,
    ]

    /// Those of `serve` alone.
    static let serving: [Setting] =
        [
            .host, NumberSetting.port.setting, .operationsHost, NumberSetting.operationsPort.setting,
            NumberSetting.mapTimeout.setting, NumberSetting.maps.setting, NumberSetting.trustedProxies.setting,
            .allowedOrigins, .mailCommand, .mailFrom, .app, .rateLimits,
        ] + NumberSetting.rateLimits.map(\.setting) + [
            NumberSetting.credentialAttempts.setting, .photoStore, .accessKey, .secretKey, .sessionToken,
        ] + NumberSetting.photoLimits.map(\.setting) + [
            NumberSetting.webPBytes.setting, .publicURL, .organisation, .contact, .exportStore,
        ] + NumberSetting.exportLimits.map(\.setting)
}

// MARK: - Of every command

extension Setting {
    static let databaseURL = Setting(
        "DATABASE_URL", usual: "a private PostgreSQL", "the service's connection, a URL that libpq accepts")
    static let ownerURL = Setting(
        "DATABASE_OWNER_URL", usual: "`DATABASE_URL`",
        "the owner's connection, for everything but `status`, `verify`, `rebuild` and `audit`")
    static let readURL = Setting(
        "DATABASE_READ_URL",
        "the service's connection to [streaming standbys](#standbys) that `serve` reads from: one or several hosts, "
            + "separated by commas")
    static let dataDirectory = Setting(
        "SKEIN_DATA_DIR", flag: "--data-dir", usual: "`./.skein`", "the data directory of the private PostgreSQL")
    static let share = Setting(
        "SKEIN_SHARE_DIR", usual: "`share/` beside the program or above it", "the folder of the reference data",
        remarks: """
            ; without it, it is looked for beside the program and in the folders above it, then in the working \
            directory and above it; `migrations/`, `openapi.yaml` and `docs/about.md` are next to it
            """)
    static let logLevel = Setting(
        "SKEIN_LOG_LEVEL", usual: "`info` for `serve`, `migrate` and `rebuild`, otherwise `warning`",
        "`trace`, `debug`, `info`, `notice`, `warning`, `error` or `critical`")
    static let targetKinds = Setting(
        "SKEIN_TARGET_KINDS", usual: "`bird`",
        "[the kinds of species that targets are chosen from](targets.md#the-choice): "
            + TaxonKind.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ") + ", separated by commas",
        remarks: "; the same in every process")
}

// MARK: - Of the service

extension Setting {
    static let host = Setting("SKEIN_HOST", flag: "--host", usual: "`127.0.0.1`", "the address that `serve` listens on")
    static let operationsHost = Setting(
        "SKEIN_OPERATIONS_HOST", usual: "`127.0.0.1`",
        "the address of the [operations listener](#monitoring), for `/metrics` and `/readyz` in detail")
    static let allowedOrigins = Setting(
        "SKEIN_ALLOWED_ORIGINS",
        "origins whose pages may use the API in a browser, such as `https://app.example.org`, separated by commas, or "
            + "`*` for all",
        remarks: " ([api.md](api.md#browsers)); in lower case, without a final slash or a default port")
    static let mailCommand = Setting(
        "SKEIN_MAIL_COMMAND",
        "[the command that sends mails](#mail), with its arguments, such as `/usr/sbin/sendmail -t -i`; without it, "
            + "mails are files in the data directory")
    static let mailFrom = Setting(
        "SKEIN_MAIL_FROM", usual: "`Skein <skein@HOST>`",
        "the sender of mails: an address, or a name and an address, such as `Skein <skein@example.org>`",
        remarks: "; the name is that of the service in the texts")
    static let app = Setting(
        "SKEIN_APP_URL",
        "the app that links in mails open, such as `https://app.example.org`; without it, mails have no links")
    static let rateLimits: Setting = {
        let names = NumberSetting.rateLimits.map(\.name)
        return Setting(
            "SKEIN_RATE_LIMITS", usual: "`on`",
            "`on` or `off`; `off` disables the limits from `\(names[0])` to `\(names[names.count - 1])` below",
            remarks: """
                , and two quotas that have no setting: for changes of an account, and for wrong passwords given to \
                confirm a change
                """)
    }()
    static let photoStore = Setting(
        "SKEIN_PHOTO_STORE", usual: "`photos` in the data directory",
        "the folder of the photos, or `s3://bucket/prefix?endpoint=https://…&region=…&style=path` (or `virtual`)",
        remarks: "; [every process needs the same one](#photos)")
    static let publicURL = Setting(
        "SKEIN_PUBLIC_URL",
        "the address under which the API is public, such as `https://sightings.example.org`, for links in exports",
        remarks: "; the same in every process, as are the next two; exports of another one cannot be made again")
    static let organisation = Setting(
        "SKEIN_ORGANISATION", "the organisation that publishes the data, for citations and Darwin Core archives")
    static let contact = Setting(
        "SKEIN_CONTACT", "its e-mail address, or the address of a page, for Darwin Core archives")
    static let exportStore = Setting(
        "SKEIN_EXPORT_STORE", usual: "`exports` in the data directory",
        "the folder of the exports, or a bucket as for photos; never the place of the photos",
        remarks: "; [every process needs the same one](#exports)")
    static let accessKey = Setting("AWS_ACCESS_KEY_ID", "the id of the access key of a bucket in S3")
    static let secretKey = Setting("AWS_SECRET_ACCESS_KEY", "the secret of that access key")
    static let sessionToken = Setting(
        "AWS_SESSION_TOKEN", "the session token of that access key, if the key is temporary")
}

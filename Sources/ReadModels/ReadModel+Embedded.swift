import Domain
package import EventLog

extension ReadModel {
    /// Every read model this program follows and queries.
    package static let all: [ReadModel] = [
        .accounts, .taxa, .datasets, .exports, .photos, .moderation, .targets, .sightingsExact, .sightingsPublic,
    ]

    /// Accounts as they are now, and what is not public of them as of P and R.
    package static let accounts = ReadModel(
        embedded: "accounts", version: 9, events: PackageResources.accounts_events_sql,
        table: [PackageResources.accounts_table_sql],
        fold: [PackageResources.accounts_rows_sql, PackageResources.present_fold_sql], folding: [.account],
        digest: [
            "accounts": [
                "id", "observer", "state", "region", "licence", "geoprivacy", "language", "roles", "verified",
                "suspended", "suspended_until", "names_from", "created_at", "version", "position",
            ],
            "concealed": ["account", "what", "since", "until"],
        ])

    /// The taxonomy as it is now, and the names and places of its taxa as of P.
    package static let taxa = ReadModel(
        embedded: "taxa", version: 6, events: PackageResources.taxa_events_sql,
        table: [PackageResources.taxa_table_sql],
        fold: [PackageResources.taxa_rows_sql, PackageResources.present_fold_sql], folding: [.taxon],
        digest: [
            "taxa": [
                "id", "scientific_name", "rank", "parent", "kind", "authorship", "description", "link", "code",
                "synonyms", "names", "sensitivity", "sensitivity_reason", "sensitivity_source", "everyday_names",
                "version", "position",
            ],
            "taxon_states": [
                "taxon", "valid", "scientific_name", "authorship", "rank", "parent", "kind", "common_names",
            ],
        ])

    /// Datasets and the imports into them, as they are now.
    package static let datasets = ReadModel(
        embedded: "datasets", version: 6, events: PackageResources.datasets_events_sql,
        table: [PackageResources.datasets_table_sql],
        fold: [PackageResources.datasets_rows_sql, PackageResources.present_fold_sql], folding: [.dataset],
        digest: [
            "datasets": ["id", "licence", "republish", "created_at", "version", "position"],
            "batches": [
                "batch", "dataset", "file", "started", "started_at", "finished", "finished_at", "accepted", "known",
                "corrected", "withdrawn", "refused", "undone", "undone_at", "undone_records", "undone_set_back",
                "undone_brought_back", "undone_left",
            ],
        ])

    /// Exports, and who asks for them, as they are now.
    package static let exports = ReadModel(
        embedded: "exports", version: 3, events: PackageResources.exports_events_sql,
        table: [PackageResources.exports_table_sql],
        fold: [PackageResources.exports_rows_sql, PackageResources.present_fold_sql], folding: [.account, .export],
        unchangedBy: Set(AccountEvent.table.map(\.description.type))
            .subtracting([AccountErased.type, PayloadRedacted.type]),
        digest: [
            "exports": [
                "id", "format", "filter", "as_of", "pin", "output_version", "site", "ranges", "status",
                "reason", "requested_at", "version", "position",
            ],
            "revisions": [
                "export", "revision", "known", "shown", "guarded", "settled", "rows", "bytes", "sha256", "members",
                "licences", "datasets", "left_out", "generalised", "replaced_characters", "polygons", "software",
                "made_at", "restricted", "position",
            ],
            "requests": ["account", "export", "requested_at", "position"],
            "erased": ["account"],
        ])

    /// Photos as they are now. Not for public routes.
    package static let photos = ReadModel(
        embedded: "photos", version: 7, events: PackageResources.photos_events_sql,
        table: [PackageResources.given_status_sql, PackageResources.photos_table_sql],
        fold: [PackageResources.photos_fold_sql, PackageResources.photos_alike_sql], folding: [.photo],
        digest: [
            "photos": PhotoRow.columns + ["hash", "likeness"],
            "likenesses": ["photo", "hash", "key", "approved", "uploaded_at"],
        ])

    /// The review of sightings and photos as it is now. Not for public routes.
    package static let moderation = ReadModel(
        embedded: "moderation", version: 9, events: PackageResources.moderation_events_sql,
        table: [PackageResources.given_status_sql, PackageResources.moderation_table_sql],
        fold: [PackageResources.moderation_fold_sql], folding: [.photo, .sighting],
        digest: [
            "items": ReviewItem.columns + [
                "region", "local_from", "local_to", "guarded", "status", "reasons", "decided_by", "photos_until",
                "awaited", "original", "position",
            ],
            "decisions": [
                "subject", "id", "version", "status", "moderator", "batch", "decided_at", "raised_at", "position",
            ],
            "questions": ["id", "version", "batch", "position"],
            "notifications": ReviewNotification.columns + ["account"],
        ])

    /// The targets of every region and week, as they are now.
    package static let targets = ReadModel(
        embedded: "targets", version: 2, events: PackageResources.targets_events_sql,
        table: [PackageResources.targets_table_sql],
        fold: [PackageResources.targets_rows_sql, PackageResources.present_fold_sql], folding: [.targets],
        digest: [
            "weeks": [
                "id", "region", "monday", "status", "plan", "zone", "starts_at", "ends_at", "relaxed", "chosen_at",
                "version", "position",
            ],
            "targets": [
                "id", "week", "region", "monday", "ordinal", "taxon", "basis", "difficulty", "replaced_at",
                "replaced_by", "reason",
            ],
        ])

    /// Every state a sighting was ever in, with its true place and date. Not for public routes.
    package static let sightingsExact = ReadModel(
        embedded: "sightings_exact", version: 14, events: PackageResources.sightings_exact_events_sql,
        table: [
            PackageResources.given_status_sql, PackageResources.sighting_events_sql,
            PackageResources.sightings_exact_table_sql,
        ],
        fold: [PackageResources.sightings_exact_fold_sql, PackageResources.sightings_exact_asked_sql],
        folding: [.account, .sighting],
        unchangedBy: Set(AccountEvent.table.map(\.description.type))
            .subtracting([AccountErased.type, PayloadRedacted.type]),
        digest: [
            "sightings": ExactSighting.columns,
            "erased": ["account"],
        ])

    /// The public values of sightings, as of P (knowledge) and R (restrictions).
    package static let sightingsPublic = ReadModel(
        embedded: "sightings_public", version: 21, events: PackageResources.sightings_public_events_sql,
        table: [
            PackageResources.given_status_sql, PackageResources.sighting_events_sql,
            PackageResources.sightings_public_margin_sql, PackageResources.sightings_public_table_sql,
        ],
        fold: [
            PackageResources.sightings_public_generalise_sql, PackageResources.sightings_public_taxa_sql,
            PackageResources.sightings_public_knowledge_sql, PackageResources.sightings_public_pieces_sql,
            PackageResources.sightings_public_counted_sql, PackageResources.sightings_public_rows_sql,
            PackageResources.sightings_public_rejected_sql, PackageResources.sightings_public_photos_sql,
            PackageResources.sightings_public_moderators_sql, PackageResources.sightings_public_fold_sql,
            PackageResources.sightings_public_evidence_sql,
        ],
        folding: [.account, .photo, .sighting, .taxon],
        unchangedBy: [
            AccountChanged.type, AccountNarrowed.type, AccountWidened.type, AccountNamesForgotten.type,
            RoleGranted.type, RoleRevoked.type, EmailVerified.type, EmailChanged.type, PasswordChanged.type,
            AccountSuspended.type, AccountReinstated.type, DisplayNameRemoved.type, TaxonNamed.type,
            TaxonSynonymAdded.type, TaxonDescribed.type,
            PhotoFlagged.type, SightingSecondOpinionAsked.type, SightingQuestionAsked.type, SightingAnswered.type,
            SightingAppealed.type, SightingFlagged.type, SightingPhotosOrdered.type,
        ],
        // It changes photos, not the rows of its sighting.
        reading: [SightingPhotosOrdered.type],
        digest: [
            "records": PublicSighting.columns + [
                "border_region", "recorder", "prompted", "visit", "visit_complete", "visit_minutes", "visit_distance",
                "visit_observers", "forgotten", "seasonal", "accepted", "margin_row", "margin_column", "square_row",
                "square_column",
            ],
            "rejected": PublicSighting.columns + [
                "border_region", "recorder", "prompted", "visit", "visit_complete", "visit_minutes", "visit_distance",
                "visit_observers", "forgotten", "seasonal", "accepted", "margin_row", "margin_column", "square_row",
                "square_column", "account", "reasons",
            ],
            "counted": ["taxon", "scale", "step", "records"],
            "withheld": ["stream", "valid", "shown", "named", "taxon", "country", "year"],
            "origins": ["id", "stream"],
            "hidden": ["stream", "field", "since", "until"],
            "photo_streams": ["photo", "sighting"],
            "photo_lives": [
                "photo", "sighting", "nonce", "valid", "shown", "sequence", "approved_at", "licence", "width", "height",
                "renditions",
            ],
            "photos": [
                "id", "record", "photo", "sighting", "guarded", "valid", "shown", "named", "widened", "taxon",
                "observer", "region", "published", "local_to", "sequence", "licence", "width", "height", "renditions",
            ],
            "moderator_events": [
                "position", "sighting", "photo", "moderator", "change", "recorded_at", "reason", "deleted",
            ],
            "observers": ["account", "observer", "key", "forgotten", "cause"],
            "redactions": ["position", "stream", "kind", "target"],
            "taxon_parents": ["taxon", "since", "parent"],
            "taxon_categories": ["taxon", "since", "category"],
            "taxon_restrictions": ["taxon", "position", "category"],
        ])

    /// A model of embedded SQL files.
    /// - Parameters:
    ///   - list: the generated `folded_events`, which lists the events of `streams` but those of `unchanged`; a test
    ///     compares.
    ///   - table: the scripts that make the tables, in their order.
    ///   - fold: the parts of the fold, in their order.
    ///   - streams: the kinds of streams that it folds.
    ///   - unchanged: the types of their events that change none of its rows.
    ///   - others: those of them that it reads for other streams' rows.
    init(
        embedded name: String, version: Int, events list: [UInt8], table: [[UInt8]], fold: [[UInt8]],
        folding streams: [StreamKind], unchangedBy unchanged: Set<String> = [], reading others: Set<String> = [],
        digest: [String: [String]]
    ) {
        let chapters = EventCatalogue.chapters.filter { streams.contains($0.stream) }
        self.init(
            name: name, version: version, table: Self.script([list, PackageResources.event_types_sql] + table),
            fold: Self.script(fold),
            events: Dictionary(
                uniqueKeysWithValues: chapters.map {
                    ($0.stream.rawValue, Set($0.events.map(\.type)).subtracting(unchanged))
                }),
            otherEvents: others, digest: digest)
    }

    private static func script(_ parts: [[UInt8]]) -> String {
        parts.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")
    }
}

package import Service
package import Web

extension UseCases {
    /// Every group of routes.
    /// - Parameters:
    ///   - document: the path of `openapi.yaml`.
    ///   - about: the path of `docs/about.md`.
    ///   - share: the folder of the reference data.
    package func routes(document: String, about: String, share: String) -> [any RouteGroup] {
        [
            AccountRoutes(accounts: accounts.service, log: ground.log),
            AdministrationRoutes(accounts: accounts.service, log: ground.log),
            SessionRoutes(sessions: accounts.sessions, accounts: accounts.service),
            VerificationRoutes(verifications: accounts.verifications),
            PasswordRoutes(passwords: accounts.passwords),
            LeavingRoutes(leaving: leaving.service),
            KeyRoutes(keys: accounts.keys),
            SightingRoutes(sightings: sightings.service, log: ground.log),
            FindingRoutes(sightings: sightings.service, reads: ground.reads, log: ground.log),
            FindingReviewRoutes(sightings: sightings.service, log: ground.log),
            PhotoRoutes(
                photos: photos.service, webPs: photos.caches.webPs,
                uploads: UploadRoutes(uploads: photos.uploads, log: ground.log), log: ground.log),
            UploadRoutes(uploads: photos.uploads, log: ground.log),
            ModerationRoutes(moderation: moderation.service, webPs: photos.caches.webPs, log: ground.log),
            ModerationHistoryRoutes(findings: sightings.findings, moderation: moderation.service, log: ground.log),
            ModerationCorrectionRoutes(moderation: moderation.service, log: ground.log),
            DecisionBatchRoutes(batches: moderation.batches, log: ground.log),
            ModerationQueueRoutes(queue: moderation.queue, places: ground.places.index, log: ground.log),
            ModeratorRoutes(queue: moderation.queue),
            ModerationStatisticsRoutes(queue: moderation.queue, report: moderation.report, log: ground.log),
            NotificationRoutes(notifications: notifications.service, log: ground.log),
            EventRoutes(notifications: notifications.service, streams: notifications.streams),
            FlagRoutes(flags: moderation.flags, catalogue: ground.catalogue),
            FavouriteRoutes(favourites: accounts.favourites),
            OwnDataRoutes(data: ownData, log: ground.log),
            FindingListRoutes(
                findings: sightings.findings, log: ground.log, catalogue: ground.catalogue,
                places: ground.places.index),
            OwnListRoutes(lists: sightings.lists, places: ground.places.index, log: ground.log),
            PublicSightingRoutes(records: records.reads, log: ground.log, catalogue: ground.catalogue),
            PublicPhotoRoutes(
                records: records.reads, files: photos.files, webPs: photos.caches.webPs, log: ground.log,
                catalogue: ground.catalogue, places: ground.places.index),
            TaxonRoutes(catalogue: ground.catalogue, taxa: records.taxa),
            RegionRoutes(ground.places.regions, stateNames: ground.places.states.mapValues(\.name)),
            TargetRoutes(targets: targets.reader, log: ground.log),
            TargetPlanRoutes(targets: targets.service, log: ground.log),
            OwnTargetRoutes(targets: targets.own, log: ground.log),
            ReasonRoutes(),
            AboutRoutes(file: about),
            LogRoutes(log: ground.log),
            ReferenceRoutes(document: document, folder: share + "/docs"),
        ]
    }
}

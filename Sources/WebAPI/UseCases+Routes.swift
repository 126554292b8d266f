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
            AccountRoutes(accounts: accounts, log: log),
            AdministrationRoutes(accounts: accounts, log: log),
            SessionRoutes(sessions: sessions, accounts: accounts),
            VerificationRoutes(verifications: verifications),
            PasswordRoutes(passwords: passwords),
            LeavingRoutes(leaving: leaving),
            KeyRoutes(keys: keys),
            SightingRoutes(sightings: sightings, log: log),
            FindingRoutes(sightings: sightings, reads: reads, log: log),
            FindingReviewRoutes(sightings: sightings, log: log),
            PhotoRoutes(
                photos: photos, webPs: webPs, uploads: UploadRoutes(uploads: uploads, log: log), log: log),
            UploadRoutes(uploads: uploads, log: log),
            ModerationRoutes(moderation: moderation, webPs: webPs, log: log),
            ModerationHistoryRoutes(findings: findings, moderation: moderation, log: log),
            ModerationCorrectionRoutes(moderation: moderation, log: log),
            DecisionBatchRoutes(batches: decisionBatches, log: log),
            ModerationQueueRoutes(queue: moderationQueue, places: places.index, log: log),
            ModeratorRoutes(queue: moderationQueue),
            ModerationStatisticsRoutes(queue: moderationQueue, report: moderationReport, log: log),
            NotificationRoutes(notifications: notifications, log: log),
            EventRoutes(notifications: notifications, streams: eventStreams),
            FlagRoutes(flags: flags, catalogue: catalogue),
            FavouriteRoutes(favourites: favourites),
            OwnDataRoutes(data: ownData, log: log),
            FindingListRoutes(findings: findings, log: log, catalogue: catalogue, places: places.index),
            OwnListRoutes(lists: ownLists, places: places.index, log: log),
            PublicSightingRoutes(records: records, log: log, catalogue: catalogue),
            PublicPhotoRoutes(
                records: records, files: photoFiles, webPs: webPs, log: log, catalogue: catalogue,
                places: places.index),
            TaxonRoutes(catalogue: catalogue, taxa: taxa),
            RegionRoutes(places.regions, stateNames: places.states.mapValues(\.name)),
            TargetRoutes(targets: targetReader, log: log),
            TargetPlanRoutes(targets: targets, log: log),
            OwnTargetRoutes(targets: ownTargets, log: log),
            ReasonRoutes(),
            AboutRoutes(file: about),
            LogRoutes(log: log),
            ReferenceRoutes(document: document, folder: share + "/docs"),
        ]
    }
}

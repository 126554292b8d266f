package import Service
package import Web

extension UseCases {
    /// Every group of routes.
    /// - Parameters:
    ///   - document: the path of `openapi.yaml`.
    ///   - about: the path of `docs/about.md`.
    ///   - share: the folder of the reference data.
    ///   - settings: the quotas of some routes; nil for no quotas.
    package func routes(
        document: String, about: String, share: String, settings: APISettings? = nil
    ) -> [any RouteGroup] {
        let (mails, confirmations) = (RequestLimit(settings?.mailLimit), ConfirmationLimit(settings?.confirmationLimit))
        return [
            AccountRoutes(
                accounts: accounts, log: log, changes: RequestLimit(settings?.changeLimit),
                signUps: RequestLimit(settings?.signUpLimit),
                addressing: ClientAddressing(trustedProxies: settings?.trustedProxies ?? 0)),
            AdministrationRoutes(accounts: accounts, log: log),
            SessionRoutes(
                sessions: sessions, accounts: accounts, guesses: settings?.guessLimit.map { RateLimiter($0) }),
            VerificationRoutes(verifications: verifications, mails: mails, confirmations: confirmations),
            PasswordRoutes(passwords: passwords, mails: mails, confirmations: confirmations),
            LeavingRoutes(leaving: leaving, confirmations: confirmations),
            KeyRoutes(keys: keys),
            SightingRoutes(sightings: sightings, log: log),
            FindingRoutes(sightings: sightings, log: log),
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
            EventRoutes(notifications: notifications, streams: eventStreams, log: log),
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

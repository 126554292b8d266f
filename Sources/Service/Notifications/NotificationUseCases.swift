import Postgres
import Vault

/// The use cases of notifications: the inboxes of accounts, and the streams of events that announce them.
package struct NotificationUseCases: Sendable {
    package let service: NotificationService
    package let streams: EventStreams

    init(_ ground: Ground, targets: TargetUseCases, limits: EventStreams.Limits) {
        let (pool, calendar, log) = (ground.pool, targets.rotation.calendar, ground.log)
        let filling = InboxFilling(
            database: pool, running: { try calendar.runningWeeks() },
            check: { () throws(ModelBehind) in try log.check(InboxFilling.plan) })
        service = NotificationService(
            filling: filling, read: NotificationsRead(database: pool), database: pool, reads: ground.reads)
        streams = EventStreams(filling, log: log, limits: limits, now: Ground.date, logger: ground.logger)
    }
}

package import Service
package import Web

extension UseCases {
    /// Every group of routes: those of each feature, as it lists them in its folder, and those of no feature.
    /// - Parameters:
    ///   - document: the path of `openapi.yaml`.
    ///   - about: the path of `docs/about.md`.
    ///   - share: the folder of the reference data.
    package func routes(document: String, about: String, share: String) -> [any RouteGroup] {
        let groups: [[any RouteGroup]] = [
            accounts.routes(on: ground),
            leaving.routes(),
            sightings.routes(on: ground),
            photos.routes(on: ground, records: records),
            moderation.routes(on: ground, photos: photos, sightings: sightings),
            notifications.routes(on: ground),
            [OwnDataRoutes(data: ownData, log: ground.log)],
            records.routes(on: ground),
            ranges.routes(on: ground, records: records),
            research.routes(on: ground, records: records),
            exports.routes(on: ground, records: records),
            targets.routes(on: ground),
            [
                AboutRoutes(file: about), LogRoutes(log: ground.log),
                ReferenceRoutes(document: document, folder: share + "/docs"),
            ],
        ]
        return groups.flatMap(\.self)
    }
}

package import FoundationEssentials

/// The id of an account, which is also the id of its stream.
package struct AccountID: Identifier {
    package let uuid: UUID

    package init(_ uuid: UUID) {
        self.uuid = uuid
    }
}

/// The id of a person in public: a pseudonym that differs from the account's id.
package struct ObserverID: Identifier {
    package let uuid: UUID

    package init(_ uuid: UUID) {
        self.uuid = uuid
    }
}

/// The id of a sighting, which is also the id of its stream.
package struct SightingID: Identifier {
    package let uuid: UUID

    package init(_ uuid: UUID) {
        self.uuid = uuid
    }
}

/// The id of a taxon, which is also the id of its stream.
package struct TaxonID: Identifier {
    package let uuid: UUID

    package init(_ uuid: UUID) {
        self.uuid = uuid
    }
}

/// The id of a dataset, which is also the id of its stream.
package struct DatasetID: Identifier {
    package let uuid: UUID

    package init(_ uuid: UUID) {
        self.uuid = uuid
    }
}

/// The id of one import of one file into a dataset.
package struct BatchID: Identifier {
    package let uuid: UUID

    package init(_ uuid: UUID) {
        self.uuid = uuid
    }
}

/// The id of an outing, which the sightings made on it share.
package struct VisitID: Identifier {
    package let uuid: UUID

    package init(_ uuid: UUID) {
        self.uuid = uuid
    }
}

/// The id of the targets of one region and week.
package struct TargetsID: Identifier {
    package let uuid: UUID

    package init(_ uuid: UUID) {
        self.uuid = uuid
    }
}

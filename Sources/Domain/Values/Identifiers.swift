package import FoundationEssentials

/// The id of an account, which is also the id of its stream.
package struct AccountID: Identifier {
    /// The id itself.
    package let uuid: UUID

    /// Wraps a UUID.
    package init(_ uuid: UUID) {
        self.uuid = uuid
    }
}

/// The id of a person in public: a pseudonym that differs from the account's id.
package struct ObserverID: Identifier {
    /// The id itself.
    package let uuid: UUID

    /// Wraps a UUID.
    package init(_ uuid: UUID) {
        self.uuid = uuid
    }
}

/// The id of a sighting, which is also the id of its stream.
package struct SightingID: Identifier {
    /// The id itself.
    package let uuid: UUID

    /// Wraps a UUID.
    package init(_ uuid: UUID) {
        self.uuid = uuid
    }
}

/// The id of a taxon, which is also the id of its stream.
package struct TaxonID: Identifier {
    /// The id itself.
    package let uuid: UUID

    /// Wraps a UUID.
    package init(_ uuid: UUID) {
        self.uuid = uuid
    }
}

/// The id of a dataset, which is also the id of its stream.
package struct DatasetID: Identifier {
    /// The id itself.
    package let uuid: UUID

    /// Wraps a UUID.
    package init(_ uuid: UUID) {
        self.uuid = uuid
    }
}

/// The id of one import of one file into a dataset.
package struct BatchID: Identifier {
    /// The id itself.
    package let uuid: UUID

    /// Wraps a UUID.
    package init(_ uuid: UUID) {
        self.uuid = uuid
    }
}

/// The id of an outing, which the sightings made on it share.
package struct VisitID: Identifier {
    /// The id itself.
    package let uuid: UUID

    /// Wraps a UUID.
    package init(_ uuid: UUID) {
        self.uuid = uuid
    }
}

/// The id of the targets of one region and week.
package struct TargetsID: Identifier {
    /// The id itself.
    package let uuid: UUID

    /// Wraps a UUID.
    package init(_ uuid: UUID) {
        self.uuid = uuid
    }
}

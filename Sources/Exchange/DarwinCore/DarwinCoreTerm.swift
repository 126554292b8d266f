/// The terms of Darwin Core, and those of Dublin Core that it takes over, that Skein knows by name. The case names are
/// the terms' own.
///
/// - Source: Darwin Core quick reference guide, https://dwc.tdwg.org/terms/.
package enum DarwinCoreTerm: UInt8, CaseIterable, Sendable {
    // The record
    case type, modified, language, license, rightsHolder, accessRights, bibliographicCitation, references
    case institutionID, collectionID, datasetID, institutionCode, collectionCode, datasetName, ownerInstitutionCode
    case basisOfRecord, informationWithheld, dataGeneralizations, dynamicProperties

    // The occurrence
    case occurrenceID, catalogNumber, recordNumber, recordedBy, recordedByID, individualCount, organismQuantity
    case organismQuantityType, sex, lifeStage, reproductiveCondition, behavior, establishmentMeans
    case degreeOfEstablishment, pathway, georeferenceVerificationStatus, occurrenceStatus, preparations
    case associatedMedia, associatedReferences, associatedTaxa, otherCatalogNumbers, occurrenceRemarks

    // The event
    case eventID, parentEventID, eventType, fieldNumber, eventDate, eventTime, startDayOfYear, endDayOfYear
    case year, month, day, verbatimEventDate, habitat, samplingProtocol, sampleSizeValue, sampleSizeUnit
    case samplingEffort, fieldNotes, eventRemarks

    // The place
    case locationID, higherGeography, continent, waterBody, islandGroup, island, country, countryCode
    case stateProvince, county, municipality, locality, verbatimLocality, minimumElevationInMeters
    case maximumElevationInMeters, verbatimElevation, minimumDepthInMeters, maximumDepthInMeters, locationRemarks
    case decimalLatitude, decimalLongitude, geodeticDatum, coordinateUncertaintyInMeters, coordinatePrecision
    case verbatimCoordinates, verbatimLatitude, verbatimLongitude, verbatimCoordinateSystem, verbatimSRS
    case footprintWKT, georeferencedBy, georeferencedDate, georeferenceProtocol, georeferenceSources
    case georeferenceRemarks

    // The identification
    case identificationID, verbatimIdentification, identificationQualifier, typeStatus, identifiedBy
    case identifiedByID, dateIdentified, identificationReferences, identificationVerificationStatus
    case identificationRemarks

    // The taxon
    case taxonID, scientificNameID, acceptedNameUsageID, parentNameUsageID, taxonConceptID, scientificName
    case acceptedNameUsage, parentNameUsage, higherClassification, kingdom, phylum, `class`, order, family
    case subfamily, genus, genericName, subgenus, specificEpithet, infraspecificEpithet, taxonRank
    case verbatimTaxonRank, scientificNameAuthorship, vernacularName, nomenclaturalCode, taxonomicStatus
    case taxonRemarks

    /// The term's name as Darwin Core writes it, such as `decimalLatitude`.
    package var name: String { Self.names[Int(rawValue)] }

    /// The term's identifier.
    package var uri: String {
        (Self.dublinCore.contains(self) ? "http://purl.org/dc/terms/" : "http://rs.tdwg.org/dwc/terms/") + name
    }

    /// The term with this name, in any case: portals write `decimallatitude`.
    package init?(name: String) {
        guard let term = Self.byLowercasedName[name.lowercased()] else { return nil }
        self = term
    }

    /// The term that a column's heading or a descriptor's `term` names: a name, one with the prefix `dwc:`, `dcterms:`
    /// or `dc:`, or a URI in the namespaces of Darwin Core or Dublin Core.
    package init?(heading: String) {
        let short = Self.shortName(of: heading)
        let namespace = heading.dropLast(short.count).lowercased()
        guard Self.namespaces.contains(namespace), let term = Self(name: short) else { return nil }
        self = term
    }

    /// The part after the last `/`, `#` or `:` of a term's identifier.
    static func shortName(of heading: String) -> String {
        guard let separator = heading.lastIndex(where: { $0 == "/" || $0 == "#" || $0 == ":" }) else { return heading }
        let short = heading[heading.index(after: separator)...]
        return short.isEmpty ? heading : String(short)
    }

    private static let dublinCore: Set<DarwinCoreTerm> = [
        .type, .modified, .language, .license, .rightsHolder, .accessRights, .bibliographicCitation, .references,
    ]

    private static let namespaces: Set<String> = [
        "", "dwc:", "dcterms:", "dc:",
        "http://rs.tdwg.org/dwc/terms/", "https://rs.tdwg.org/dwc/terms/",
        "http://purl.org/dc/terms/", "https://purl.org/dc/terms/",
        "http://purl.org/dc/elements/1.1/", "https://purl.org/dc/elements/1.1/",
    ]

    private static let names = allCases.map { String(describing: $0) }

    private static let byLowercasedName = Dictionary(
        uniqueKeysWithValues: allCases.map { ($0.name.lowercased(), $0) })
}

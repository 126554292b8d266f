import Exchange

/// How a member of an imported row appears in a bulk answer.
enum PassedOnMember: Hashable, Sendable {
    /// A column of the answer, unless the record itself has a value.
    case column(OccurrenceColumn)
    /// The row's own id.
    case occurrenceID
    /// The name that the import looked up first, as the row spells it.
    case verbatimName
    /// The basis of the record, in any spelling.
    case basis
    /// The row's own properties, or an object of the columns that no term names.
    case properties
    /// A term without a column in the answer.
    case other(String)
    /// A term that the import reads, which does not appear: its meaning is in the record, which may have been corrected
    /// since.
    case read

    /// - Parameter name: the name of a term, in upper or lower case; any other name becomes ``read``.
    init(of name: String) {
        // Nearly every row has the terms as Darwin Core writes them.
        self = Self.known[name] ?? DarwinCoreTerm(name: name).map(Self.init) ?? .read
    }

    private init(_ term: DarwinCoreTerm) {
        switch term {
        case .occurrenceID: self = .occurrenceID
        case .basisOfRecord: self = .basis
        case .dynamicProperties: self = .properties
        case _ where Self.readTerms.contains(term): self = .read
        default:
            self = Self.ownColumns.first { $0.name == term.name }.map(Self.column) ?? .other(term.name)
        }
    }

    private static let known: [String: Self] = {
        var members = Dictionary(uniqueKeysWithValues: DarwinCoreTerm.allCases.map { ($0.name, Self($0)) })
        members["verbatimName"] = .verbatimName
        return members
    }()

    private static let ownColumns: Set<OccurrenceColumn> = [
        .sex, .lifeStage, .locality, .recordedBy, .recordedByID, .eventID, .samplingProtocol, .samplingEffort,
        .sampleSizeValue, .sampleSizeUnit, .occurrenceRemarks, .associatedMedia, .rightsHolder, .institutionCode,
        .collectionCode, .catalogNumber, .bibliographicCitation, .organismQuantity, .organismQuantityType,
        .verbatimIdentification,
    ]

    private static let readTerms: Set<DarwinCoreTerm> = [
        .occurrenceStatus, .scientificName, .genericName, .genus, .specificEpithet, .infraspecificEpithet,
        .identificationQualifier, .acceptedNameUsage, .vernacularName, .eventDate, .eventTime, .year, .month, .day,
        .decimalLatitude, .decimalLongitude, .coordinateUncertaintyInMeters, .individualCount, .license,
    ]
}

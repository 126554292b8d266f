/// Finds the table of occurrences in a container, and where each term's values lie.
struct OccurrenceSourceOpener {
    let kind: ContainerKind
    let container: any FileContainer
    let options: OccurrenceSource.Options

    func open() throws -> OccurrenceSource {
        switch kind {
        case .plainFile, .gzip:
            return try openTable(container.files[0].name, metadata: nil)
        case .zip, .tar, .directory:
            let archive = try DarwinCoreArchive(container: container)
            let metadata = try archive.metadata()
            guard let descriptor = archive.descriptor else {
                return try openTable(archive.simpleFile ?? "", metadata: metadata)
            }
            return try open(archive, descriptor, metadata: metadata)
        }
    }

    /// A table whose first line names its columns.
    private func openTable(_ name: String, metadata: DatasetMetadata?) throws -> OccurrenceSource {
        let label = container.files.count > 1 ? "\(container.path): \(name)" : container.path
        let inspection = try TextInspection(of: container.openText(name), declared: options.encoding)
        let sniffer = DialectSniffer(sample: inspection.sample, sampleIsWhole: inspection.sampleIsWhole, file: name)
        let reader = DelimitedReader(
            source: try container.openText(name), file: label, dialect: options.dialect ?? sniffer.dialect(),
            encoding: inspection.encoding, limits: options.rowLimits)
        let headings = try reader.readHeader()
        let layout = try layout(
            names: headings, identifiers: headings, origins: headings.indices.map { .field($0, defaultValue: nil) })
        let file = (name: name, size: container.readingSize(of: name))
        return OccurrenceSource(
            kind: kind, fileColumns: headings,
            reader: TableReader(files: [file], current: reader) { _, _ in reader }, layout: layout, metadata: metadata)
    }

    private func open(
        _ archive: DarwinCoreArchive, _ descriptor: ArchiveDescriptor, metadata: DatasetMetadata?
    ) throws -> OccurrenceSource {
        let core = descriptor.core
        if core.holdsOccurrences {
            let layout = try layout(of: Self.fields(of: core, idTerm: .occurrenceID))
            let reader = try archive.rows(of: core, limits: options.rowLimits)
            return OccurrenceSource(
                kind: kind, fileColumns: core.columnNames, reader: reader, layout: layout, metadata: metadata)
        }
        guard let occurrences = descriptor.extensions.first(where: \.holdsOccurrences),
            let idIndex = occurrences.idIndex
        else {
            if let fault = descriptor.extensionFault { throw fault }
            let types = [core.rowTypeName] + descriptor.extensions.map(\.rowTypeName)
            throw DarwinCoreArchiveError.noOccurrences(archive: container.path, rowTypes: types)
        }
        let layout = try layout(of: joinedFields(of: occurrences, core: core))
        let join = OccurrenceSource.Join(core: try CoreRows(of: archive, core: core), idIndex: idIndex)
        let reader = try archive.rows(of: occurrences, limits: options.rowLimits)
        return OccurrenceSource(
            kind: kind, fileColumns: occurrences.columnNames, reader: reader, layout: layout, join: join,
            metadata: metadata)
    }
}

// MARK: - Layouts

extension OccurrenceSourceOpener {
    /// A term and where its values lie.
    private typealias PlacedField = (identifier: String, origin: OccurrenceLayout.Origin)

    /// The fields of a table; its id column counts as `idTerm` where no field does.
    private static func fields(of table: ArchiveTable, idTerm: DarwinCoreTerm?) -> [PlacedField] {
        var fields: [PlacedField] = table.fields.compactMap { field in
            switch (field.index, field.defaultValue) {
            case (let index?, let defaultValue): (field.term, .field(index, defaultValue: defaultValue))
            case (nil, let value?): value.isEmpty ? nil : (field.term, .constant(value))
            case (nil, nil): nil
            }
        }
        if let idTerm, let index = table.idIndex,
            !table.fields.contains(where: { DarwinCoreTerm(heading: $0.term) == idTerm })
        {
            fields.insert((idTerm.uri, .field(index, defaultValue: nil)), at: 0)
        }
        return fields
    }

    /// The occurrences' own fields, and those of their event or taxon that they do not have themselves.
    private func joinedFields(of table: ArchiveTable, core: ArchiveTable) throws -> [PlacedField] {
        let idTerms: [String: DarwinCoreTerm] = ["event": .eventID, "taxon": .taxonID]
        guard let idTerm = idTerms[core.rowTypeName.lowercased()] else {
            throw DarwinCoreArchiveError.unknownCore(archive: container.path, rowType: core.rowTypeName)
        }
        let own = Self.fields(of: table, idTerm: nil)
        let ownNames = Set(own.map { DarwinCoreTerm.shortName(of: $0.identifier).lowercased() })
        let inherited: [PlacedField] = Self.fields(of: core, idTerm: idTerm).compactMap { field in
            guard !ownNames.contains(DarwinCoreTerm.shortName(of: field.identifier).lowercased()) else { return nil }
            guard case .field(let index, let defaultValue) = field.origin else { return field }
            return (field.identifier, .coreField(index, defaultValue: defaultValue))
        }
        return own + inherited
    }

    private func layout(of fields: [PlacedField]) throws -> OccurrenceLayout {
        let short = fields.map { DarwinCoreTerm.shortName(of: $0.identifier) }
        let counts = Dictionary(short.map { ($0, 1) }, uniquingKeysWith: +)
        let names = zip(short, fields).map { counts[$0] == 1 ? $0 : $1.identifier }
        return try layout(names: names, identifiers: fields.map(\.identifier), origins: fields.map(\.origin))
    }

    private func layout(
        names: [String], identifiers: [String], origins: [OccurrenceLayout.Origin]
    ) throws -> OccurrenceLayout {
        let terms = try options.columns.terms(for: zip(names, identifiers).map { [$0, $1] })
        guard terms.contains(where: { $0 != nil }) else {
            throw OccurrenceSourceError.noTerms(file: container.path, columns: names)
        }
        let columns = zip(names, terms).map { SourceColumn(name: $0, term: $1) }
        return OccurrenceLayout(columns: columns, origins: origins)
    }
}

import Bytes
import Domain
import Exchange

/// The number of individuals that a row states.
enum OccurrenceCount {
    /// nil: present, but not counted.
    /// - Throws: ``RowRejection/absence``, ``RowRejection/invalidCount``.
    static func count(of row: OccurrenceRow) throws(RowRejection) -> IndividualCount? {
        if let status = row.stated(.occurrenceStatus), PresenceWord.isAbsence(status) { throw .absence }
        if let count = try count(row, .individualCount) { return count }
        let isOfIndividuals = row[.organismQuantityType]?.vocabularyForm.contains("individual") == true
        return isOfIndividuals ? try count(row, .organismQuantity) : nil
    }

    private static func count(_ row: OccurrenceRow, _ term: DarwinCoreTerm) throws(RowRejection) -> IndividualCount? {
        guard let text = row.stated(term), !PresenceWord.isPresence(text) else { return nil }
        if PresenceWord.isAbsence(text) { throw .absence }
        guard let number = DecimalText.wholeNumber(text, decimalComma: row.hasDecimalCommas(term)),
            let count = try? IndividualCount(number)
        else { throw .invalidCount }
        return count
    }
}

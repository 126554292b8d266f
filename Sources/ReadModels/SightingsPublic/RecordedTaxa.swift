import Postgres

/// The taxa of records, found one after another by jumps in an index that begins with the taxon.
enum RecordedTaxa {
    /// `found (taxon) as (…)`, for `with recursive`. It has a last row without a taxon.
    /// - Parameters:
    ///   - table: that of the records, named `s`.
    ///   - condition: that of a record `s`; it chooses the index.
    static func found(in table: SQL, where condition: SQL) -> SQL {
        """
        found (taxon) as (
            (select s.taxon from \(fragment: table) where \(fragment: condition) order by s.taxon limit 1)
            union all
            select (select s.taxon from \(fragment: table)
                     where \(fragment: condition) and s.taxon > f.taxon order by s.taxon limit 1)
              from found f where f.taxon is not null)
        """
    }
}

import Domain
import Hummingbird
import Service
import Web

extension APIContext {
    /// The taxon that the path names.
    /// - Throws: 404 for what is none of the catalogue.
    func taxon(in catalogue: Catalogue) throws(ProblemDetails) -> TaxonSummary {
        guard let id = parameters.get("id").flatMap(TaxonID.init), let taxon = catalogue.names.summary(of: id) else {
            throw ProblemDetails(.notFound)
        }
        return taxon
    }
}

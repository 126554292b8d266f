/// A qualification of an identification's taxon.
/// - Source: Darwin Core `identificationQualifier`.
package enum TaxonQualifier: String, Vocabulary {
    /// An unspecified member of the taxon: "Larus sp."
    case sp
    /// One of several named members: "Aechmophorus occidentalis/clarkii".
    case slash
    /// A cross between named members.
    case hybrid
    /// To be compared with a named member: the taxon is what is certain.
    case cf
    /// Near a named member, but not it: the taxon is what is certain.
    case aff
}

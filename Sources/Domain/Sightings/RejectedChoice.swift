/// Whether a response for researchers has rejected records with the others, or alone.
package enum RejectedChoice: String, Vocabulary {
    case with
    case only
}

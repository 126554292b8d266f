/// Whether an answer for researchers has rejected records beside the others, or alone.
package enum RejectedChoice: String, Vocabulary {
    case with
    case only
}

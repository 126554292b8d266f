package import Service
package import Web

extension ErrataOfSurvey: ProblemConvertible {
    package var problem: ProblemDetails {
        ProblemDetails(
            .conflict,
            detail:
                "A survey has no errata. Compare it with a survey as of a later day, or ask for "
                + "the errata of a csv export of the same filter.")
    }
}

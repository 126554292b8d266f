/// Errata list records. A survey also has visits, whose records affect one another.
package struct ErrataOfSurvey: Error {}

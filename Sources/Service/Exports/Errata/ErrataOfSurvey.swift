/// Errata list records; a survey has visits, too, and lists of records that change with one another.
package struct ErrataOfSurvey: Error {}

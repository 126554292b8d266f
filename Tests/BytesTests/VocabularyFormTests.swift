import Bytes
import Testing

struct VocabularyFormTests {
    @Test(arguments: [
        "LivingSpecimen", "livingspecimen", "LIVING_SPECIMEN", "Living Specimen", "living-specimen",
        " living  specimen ",
        "dwc:LivingSpecimen", "http://rs.tdwg.org/dwc/terms/LivingSpecimen",
        "https://rs.tdwg.org/dwc/dwctype/LivingSpecimen/",
        "http://example.org/types#Living_Specimen", "livingSpecimen.", "Living\u{A0}Specimen",
    ])
    func `spellings of one word`(_ text: String) {
        #expect(text.vocabularyForm == "livingspecimen")
    }

    @Test func `other words stay other words`() {
        #expect("captive: zoo".vocabularyForm == "captivezoo")
        #expect("not captive".vocabularyForm == "notcaptive")
        #expect("12:30".vocabularyForm == "1230")
        #expect("Élevé".vocabularyForm == "élevé")
        #expect("".vocabularyForm == "" && "+".vocabularyForm == "" && "http://".vocabularyForm == "http")
    }
}

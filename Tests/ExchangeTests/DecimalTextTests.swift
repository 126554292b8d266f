import Testing

@testable import Exchange

struct DecimalTextTests {
    @Test(arguments: [
        ("47.81", 47.81), ("-123.45", -123.45), ("+5", 5), ("0", 0), ("-0.0", 0), ("47.", 47), (".5", 0.5), ("007", 7),
        ("1e+05", 100_000), ("1E-2", 0.01), ("4.5e1", 45),
    ])
    func `decimal numbers`(_ text: String, _ number: Double) {
        #expect(DecimalText.number(text) == number)
    }

    @Test(arguments: [
        "", " ", "+", "-", ".", "e5", "1e", "1e+", "0x2F", "0X1p3", "-0x10", "inf", "-Infinity", "nan", "NaN", "1e400",
        "-1e400", "--5", "+-5", "- 5", "5 ", " 5", "4 7.8", "1_000", "1,000", "47,81", "47.8.1", "45° N", "47.81N",
        "٤٧",
        "４７", "−5", "5f", "0b11", "1d3",
    ])
    func `all else is no number`(_ text: String) {
        #expect(DecimalText.number(text) == nil)
        #expect(DecimalText.wholeNumber(text) == nil)
    }

    @Test func `a decimal comma where there can be one`() {
        #expect(DecimalText.number("47,81", decimalComma: true) == 47.81)
        #expect(DecimalText.number("-123,45", decimalComma: true) == -123.45)
        #expect(DecimalText.number(",5", decimalComma: true) == 0.5)
        #expect(DecimalText.number("47.81", decimalComma: true) == 47.81)
        for text in [",", "1,2,3", "1.234,5", "1,234.5", "0x1,8"] {
            #expect(DecimalText.number(text, decimalComma: true) == nil, "\(text)")
        }
    }

    @Test func `whole numbers written as decimals`() {
        #expect(DecimalText.wholeNumber("3.0") == 3 && DecimalText.wholeNumber("2024.") == 2024)
        #expect(DecimalText.wholeNumber("3,0", decimalComma: true) == 3 && DecimalText.wholeNumber("3,0") == nil)
        #expect(DecimalText.wholeNumber("3.5") == nil && DecimalText.wholeNumber("1e30") == nil)
    }
}

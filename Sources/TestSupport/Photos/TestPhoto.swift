package import FoundationEssentials

/// A photo to test with.
package enum TestPhoto {
    /// A JPEG of 24 times 16 pixels of noise.
    package static let jpeg = Data(base64Encoded: base64) ?? Data()

    private static let base64 = """
        /9j/2wBDABQODxIPDRQSEBIXFRQYHjIhHhwcHj0sLiQySUBMS0dARkVQWnNiUFVtVkVGZIhlbXd7gYKBTmCNl4x9lnN+gXz/wAAL\
        CAAQABgBAREA/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEG\
        E1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4\
        eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6\
        /9oACAEBAAA/AGnaxwzPjJA7DAx/TNSEhHO7IwMcfLjjn/8AV2qNpd3zIcKwxwMkY9zinuMZYMoTqcjp+Ppx+opiAjIDADOGPXII\
        4JHvj9KkDKybDlvTb09en1xj8K//2Q==
        """
}

/// A flag or an environment variable that is missing or wrong. Names it; never shows its value.
struct SettingError: Error, CustomStringConvertible {
    let setting: String
    let rule: String

    var description: String { "\(setting) \(rule)" }
}

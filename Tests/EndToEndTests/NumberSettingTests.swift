import ArgumentParser
import Foundation
import Service
import TestSupport
import Testing
import Web

@testable import Vault
@testable import skein

/// Every setting that is a number, against its documentation and its meaning of 0.
struct NumberSettingTests {
    private static func text(of page: String) throws -> String {
        try String(contentsOfFile: PackageRoot.path + "/docs/" + page, encoding: .utf8)
    }

    @Test(arguments: NumberSetting.all)
    func `a value outside the range is an error with the rule`(setting: NumberSetting) throws {
        let range = setting.rule.range
        let isRejected = setting.rule.zero == .rejected
        var wrong = [
            "\(range.lowerBound - 1)", "\(range.upperBound + 1)", "many", "1.5", "1e3", "99999999999999999999",
        ]
        if isRejected { wrong.append("0") }
        for text in wrong {
            let environment = Environment(values: [setting.name: text])
            let error = #expect(throws: SettingError.self) { try environment.value(of: setting) }
            let words = error?.description ?? ""
            let rule = "must be a number from \(range.lowerBound) to \(range.upperBound)"
            #expect(words.hasPrefix("\(setting.name) \(rule)"))
            if isRejected { #expect(words.hasSuffix("; 0 is rejected")) }
        }
        #expect(isRejected == !range.contains(0))
        for value in [range.lowerBound, range.upperBound] {
            #expect(try Environment(values: [setting.name: "\(value)"]).value(of: setting) == value)
        }
        #expect(try Environment(values: [:]).value(of: setting) == setting.rule.usual)
    }

    @Test(arguments: NumberSetting.all.filter { $0.rule.zero == .noLimit })
    func `0 is no limit, and its default is one`(setting: NumberSetting) throws {
        #expect(try Environment(values: [setting.name: "0"]).limit(of: setting) == nil)
        #expect(try #require(try Environment(values: [:]).limit(of: setting)) > 0)
    }

    @Test func `with 0 everywhere, there is no limit anywhere`() throws {
        let limits = NumberSetting.all.filter { $0.rule.zero == .noLimit }
        let environment = Environment(values: Dictionary(uniqueKeysWithValues: limits.map { ($0.name, "0") }))
        let photos = try PhotoSettings(dataDirectory: "/nowhere", environment: environment)
        let most = Int64.max
        for isVerified in [true, false] {
            let share = photos.quota.share(isVerified: isVerified)
            #expect(share.photos == most && share.bytes == most && share.unfinishedBytes == most)
        }
        #expect(photos.spool.disk.state.reserve == nil)
        let exports = try ExportSettings(dataDirectory: "/nowhere", environment: environment)
        #expect(exports.limits.unfinished == nil && exports.limits.waiting == nil && exports.storedBytes == nil)
        #expect(exports.limits.perDay == nil && exports.limits.unverifiedPerDay == nil)
        #expect(exports.limits.remakes == nil)
        #expect(exports.limits.duration == nil && exports.limits.bytes == nil)
        let settings = try LimitSettings(environment, trustedProxies: 0)
        let accounts = settings.accounts
        #expect(accounts.items == 0 && accounts.bytes == 0 && accounts.keyItems == 0)
        #expect(accounts.dailyWrites == 0 && accounts.newcomerWrites == 0)
        #expect(settings.client == nil && settings.credentials == nil && settings.recovery == nil)
        #expect(settings.useCases.mails == nil && settings.useCases.signUps == nil)
        #expect(settings.photos == nil)
        #expect(settings.unverifiedSightings == nil && settings.clientConnections == nil)
    }

    @Test func `off disables the limits that the documents name, and no others`() throws {
        let settings = try LimitSettings(Environment(values: ["SKEIN_RATE_LIMITS": "off"]), trustedProxies: 0)
        let accounts = settings.accounts
        #expect(accounts.items == 0 && accounts.bytes == 0 && accounts.keyItems == 0)
        #expect(accounts.dailyWrites == 0 && accounts.newcomerWrites == 0 && settings.unverifiedSightings == nil)
        let cases = settings.useCases
        #expect(cases.mails == nil && cases.signUps == nil && cases.changes == nil && cases.confirmations == nil)
        #expect(settings.recovery == nil && settings.client == nil && settings.clientConnections == nil)
        #expect(settings.photos == nil)
        #expect(settings.credentials != nil && cases.guesses != nil)
        let limits = NumberSetting.all.filter { $0.rule.zero == .noLimit }.map(\.name)
        let (disabled, photos) = (NumberSetting.rateLimits, NumberSetting.photoLimits)
        let others = [.credentialAttempts] + photos + NumberSetting.exportLimits
        #expect(limits == (disabled + others).map(\.name), "each limit is in one of the lists")
    }

    @Test func `the list of limits has every limit with its default`() throws {
        let page = try Self.text(of: "limits.md")
        for setting in NumberSetting.all.filter({ $0.rule.zero == .noLimit }) + [.webPBytes] {
            let usual = try #require(setting.rule.usual)
            #expect(page.contains("`\(setting.name)` (\(usual))"), "\(setting.name)")
        }
        for match in page.matches(of: /`(SKEIN_[A-Z_]+)` \(([0-9]+)\)/) {
            let setting = try #require(NumberSetting.all.first { $0.name == String(match.1) })
            #expect(setting.rule.usual == Int(match.2), "\(match.1)")
        }
    }

    @Test(arguments: [
        ("unfinished uploads", [Uploads.most, Uploads.mostUnverified]), ("favourites", [Favourites.most]),
        ("API keys", [ApiKeys.most]), ("sessions", [RefreshTokens.mostSessions]), ("flags", [FlagService.mostPerDay]),
        ("photos", [PhotoSpool.mostBytes / 1_000_000]),
    ])
    func `the list of limits has those that are no settings`(what: String, numbers: [Int]) throws {
        let row = try Self.text(of: "limits.md").split(separator: "\n").first { $0.hasPrefix("| \(what) |") }
        let found = row?.split { !$0.isNumber }.compactMap { Int($0) } ?? []
        #expect(Set(found).isSuperset(of: numbers), "\(what)")
    }

    /// As an operator sets them who wants no limits: an unverified account sends more than the defaults allow.
    @Test func `a service without limits takes photos, uploads and sightings`() async throws {
        let limits = NumberSetting.all.filter { $0.rule.zero == .noLimit }
        var settings = Dictionary(uniqueKeysWithValues: limits.map { ($0.name, "0") })
        settings["SKEIN_RATE_LIMITS"] = "on"
        try await ServedSkein.run(settings) { service in
            let birder = try await Birder.register(service)
            let sighting = try #require(try await birder.submit().text("id"))
            for _ in 0..<2 {
                let photo = try await birder.addPhoto(
                    to: sighting, Array(TestPhoto.jpeg) + Array(UUID().uuidString.utf8))
                #expect(photo.status == 201)
            }
            for _ in 0..<21 {
                let another = try await birder.submit()
                #expect(another.status == 201)
            }
        }
    }
}

import Testing

@testable import Postgres

struct PostgresConfigurationTests {
    @Test(arguments: [
        "postgres://ada:s3cret@db.example:5433/skein", "postgresql://ada:s3cret@db.example:5433/skein?sslmode=require",
        "host=db.example port=5433 user=ada password=s3cret dbname=skein",
    ])
    func `reads URLs and pairs`(string: String) throws {
        let configuration = try PostgresConfiguration(string)
        #expect(configuration.user == "ada")
        #expect(configuration.database == "skein")
        #expect(configuration.host == "db.example")
        #expect(configuration.port == "5433")
    }

    @Test(arguments: [
        ("postgres://ada@one,two:5433/skein?target_session_attrs=primary", ["one", "two"], ["5432", "5433"]),
        ("host=one,two port=5433 user=ada", ["one", "two"], ["5433", "5433"]),
        ("host=/run/one user=ada port=5433", ["/run/one"], ["5433"]),
    ])
    func `each host is a configuration of its own`(string: String, hosts: [String], ports: [String]) throws {
        let each = try PostgresConfiguration(string).eachHost()
        #expect(each.map(\.host) == hosts && each.map(\.port) == ports)
        for configuration in each {
            #expect(configuration.user == "ada")
            #expect(configuration.connectionParameters.contains { $0 == ("target_session_attrs", "any") })
        }
        #expect(throws: PostgresError.self) {
            try PostgresConfiguration("host=one,two,three port=1,2 user=ada").eachHost()
        }
    }

    @Test func `prints no secret`() throws {
        let configuration = try PostgresConfiguration("postgres://ada:s3cret@db.example/skein")
        var dumped = ""
        dump(configuration, to: &dumped)
        for text in ["\(configuration)", String(reflecting: configuration), dumped] {
            #expect(!text.contains("s3cret"))
            #expect(text.contains("db.example"))
        }
    }

    @Test(arguments: [
        "postgres://ada:s3cret@[::1/skein", "pasword=s3cret", "postgres:/ada:s3cret", "user=a\0password=s3cret",
    ])
    func `a bad string is not quoted`(string: String) {
        #expect {
            try PostgresConfiguration(string)
        } throws: { error in
            (error as? PostgresError)?.kind == .configuration && !String(reflecting: error).contains("s3cret")
        }
    }

    @Test func `sessions get our settings`() throws {
        let configuration = try PostgresConfiguration(
            "postgres:///skein?options=-c%20work_mem%3D8MB&application_name=mine"
        )
        .with(statementTimeout: .milliseconds(1500), lockTimeout: .microseconds(10))
        .with(options: ["search_path": "a b\\c"])
        let parameters = Dictionary(
            uniqueKeysWithValues: configuration.connectionParameters.map { ($0.keyword, $0.value) })
        let options = try #require(parameters["options"])
        #expect(options.hasPrefix("-c work_mem=8MB "))
        #expect(options.contains("-c synchronous_commit=on"))
        #expect(options.contains("-c statement_timeout=1500ms"))
        #expect(options.contains("-c lock_timeout=1ms"), "zero would be no limit")
        #expect(options.contains(#"-c search_path=a\ b\\c"#))
        #expect(parameters["application_name"] == "mine")
        #expect(parameters["keepalives"] == "1")
        #expect(parameters["dbname"] == "skein")
    }

    @Test func `another database on the same server`() throws {
        let configuration = try PostgresConfiguration("host=h user=u dbname=a").with(database: "b")
        #expect(configuration.database == "b")
        #expect(configuration.host == "h")
        #expect(try PostgresConfiguration("host=h user=u").database == "u")
    }
}

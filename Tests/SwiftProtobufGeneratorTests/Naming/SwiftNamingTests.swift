import SwiftProtobuf
import Testing

@testable import SwiftProtobufGenerator

@Suite struct SwiftNamingTests {
  @Test(arguments: [
    ("", "", ""), ("foo", "foo", "Foo"), ("FOO", "foo", "Foo"), ("foO", "foO", "FoO"),
    ("foo_bar", "fooBar", "FooBar"), ("foo_bAr_BaZ", "fooBArBaZ", "FooBArBaZ"),
    ("foo1bar", "foo1Bar", "Foo1Bar"), ("foo2bAr3BaZ", "foo2BAr3BaZ", "Foo2BAr3BaZ"),
    ("foo_1bar", "foo1Bar", "Foo1Bar"), ("_0foo_1bar", "_0Foo1Bar", "_0Foo1Bar"),
    ("url", "url", "URL"), ("http", "http", "HTTP"), ("https", "https", "HTTPS"),
    ("id", "id", "ID"), ("the_url", "theURL", "TheURL"), ("use_https", "useHTTPS", "UseHTTPS"),
    ("request_id", "requestID", "RequestID"), ("url_number", "urlNumber", "URLNumber"),
    ("is_url_number", "isURLNumber", "IsURLNumber"),
    ("url_foo_http_id", "urlFooHTTPID", "URLFooHTTPID"), ("idea", "idea", "Idea"),
    ("foo__bar", "foo_Bar", "Foo_Bar"), ("foo_", "foo_", "Foo_"), ("_foo", "foo", "Foo"),
    ("ListRaces", "listRaces", "ListRaces"), ("GET", "get", "Get"),
  ])
  func camelCase(name: String, lower: String, upper: String) {
    #expect(SwiftNaming.lowerCamelCase(name) == lower)
    #expect(SwiftNaming.upperCamelCase(name) == upper)
  }

  @Test(arguments: [
    ("", nil, ""), ("foo", nil, "Foo_"), ("foo.bar.v1", nil, "Foo_Bar_V1_"),
    ("foo_bar.baz", nil, "FooBar_Baz_"), ("f_o_o.bAr", nil, "FOO_BAr_"),
    ("foo.bar", "Own", "Own"), ("foo.bar", "", ""),
  ])
  func typePrefixes(package: String, swiftPrefix: String?, prefix: String) {
    #expect(SwiftNaming.typePrefix(package: package, swiftPrefix: swiftPrefix) == prefix)
  }

  @Test(arguments: [
    ("Race", "Race"), ("String", "StringMessage"), ("Type", "TypeMessage"),
    ("SwiftProtobuf", "SwiftProtobufMessage"), ("Any", "AnyMessage"), ("class", "classMessage"),
    ("StringMessage", "StringMessageMessage"), ("RaceMessage", "RaceMessage"), ("_", "_Message"),
    ("Extensions", "ExtensionsMessage"),
  ])
  func messages(name: String, swift: String) {
    #expect(SwiftNaming.messageName(name) == swift)
  }

  @Test(arguments: [("Kind", "Kind"), ("Type", "TypeEnum"), ("TypeEnum", "TypeEnumEnum")])
  func enums(name: String, swift: String) {
    #expect(SwiftNaming.enumName(name) == swift)
  }

  @Test(arguments: [
    ("start_time", "startTime"), ("class", "`class`"), ("init", "init_p"), ("self", "self_p"),
    ("description", "description_p"), ("unknown_fields", "unknownFields_p"),
    ("has_name", "hasName_p"), ("clear_name", "clearName_p"), ("hash", "hash"), ("has", "has"),
    ("hasname", "hasname"), ("_", "___"),
  ])
  func fields(name: String, swift: String) {
    #expect(SwiftNaming.fieldName(name) == swift)
  }

  @Test(arguments: [
    ("RaceEventType", "RACE_EVENT_TYPE_STANDINGS", "STANDINGS"),
    ("RaceEventType", "RACEEVENTTYPE_STANDINGS", "STANDINGS"),
    ("RaceEventType", "race_event_type_standings", "standings"),
    ("Color", "COLORED", "ED"), ("Color", "COLOR_2D", nil), ("Color", "COLOR", nil),
    ("Color", "COLOR_", nil), ("Color", "RED", nil), ("FOO_BAR", "FOO_BAR_BAZ", "BAZ"),
  ])
  func enumPrefixes(type: String, value: String, rest: String?) {
    #expect(SwiftNaming.stripped(prefix: type, from: value) == rest)
  }

  @Test(arguments: [
    ("KART_LOCATIONS", "kartLocations"), ("DEFAULT", "`default`"), ("INIT", "init_"),
    ("SELF", "self_"), ("ALL_CASES", "allCases_"), ("NAME", "name_"), ("NONE", "none"),
  ])
  func enumCases(name: String, swift: String) {
    #expect(SwiftNaming.enumCaseName(name) == swift)
  }

  @Test(arguments: [
    ("swift_kart_service.proto", "File_SwiftKartService"),
    ("grpc/health/v1/health.proto", "File_Grpc_Health_V1_Health"),
    ("a-b/c.d.proto", "File_AB_CD"),
  ])
  func fileDescriptors(path: String, swift: String) {
    #expect(SwiftNaming.fileDescriptorName(path) == swift)
  }
}

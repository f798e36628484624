#pragma once

#include "json/schema/program.hpp"

namespace fairlead::json::schema {

/// The check of a `format`; null for an unknown format, which is ignored.
FormatCheck format_named(std::string_view name);

}  // namespace fairlead::json::schema

namespace fairlead::json::schema::formats {

bool date(std::string_view text);
bool time(std::string_view text);
bool date_time(std::string_view text);
bool duration(std::string_view text);
bool email(std::string_view text);
bool idn_email(std::string_view text);
bool hostname(std::string_view text);
bool idn_hostname(std::string_view text);
bool ipv4(std::string_view text);
bool ipv6(std::string_view text);
bool uri(std::string_view text);
bool uri_reference(std::string_view text);
bool iri(std::string_view text);
bool iri_reference(std::string_view text);
bool uuid(std::string_view text);
bool uri_template(std::string_view text);
bool json_pointer(std::string_view text);
bool relative_json_pointer(std::string_view text);
bool regex(std::string_view text);

}  // namespace fairlead::json::schema::formats

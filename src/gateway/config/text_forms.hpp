#pragma once

#include "gateway/config/forms.hpp"

/// Texts of which not every one will do.
namespace fairlead::gateway {

/// A file or folder, as seen from the configuration's own folder.
struct PathForm : Form<std::string> {
  static void read(Reading& reading, const Place& place, std::string& into);
};

/// The path of a socket, or `off`.
struct ControlForm : Form<std::string> {
  static void read(Reading& reading, const Place& place, std::string& into);
};

/// A file, or whether the usual one is meant.
struct PinsForm : Form<std::string> {
  static void read(Reading& reading, const Place& place, std::string& into);
};

/// The path of a URL, without slashes at its end. An error repeats `shown`.
Result<std::string> read_url_path(std::string_view text, std::string_view shown);

/// The path of a URL: empty, or `/like/this`.
struct UrlPathForm : Form<std::string> {
  static void read(Reading& reading, const Place& place, std::string& into);
};

/// The same, or `off`, which is empty.
struct OptionalUrlPathForm : Form<std::string> {
  static void read(Reading& reading, const Place& place, std::string& into);
  static void show(Showing& showing, std::string_view name, const std::string& value);
};

struct RevisionForm : Form<std::string> {
  static void read(Reading& reading, const Place& place, std::string& into);
};

/// What may stand in front of a tool's name.
struct PrefixForm : Form<std::string> {
  static void read(Reading& reading, const Place& place, std::string& into);
};

struct HeadersForm : Form<std::map<std::string, std::string>> {
  static void read(Reading& reading, const Place& place, std::map<std::string, std::string>& into);
  static void show(Showing& showing, std::string_view name, const std::map<std::string, std::string>& value);
};

/// Hashes: shown is only whose they are.
struct KeysForm : Form<std::map<std::string, std::string>> {
  static void read(Reading& reading, const Place& place, std::map<std::string, std::string>& into);
  static void show(Showing& showing, std::string_view name, const std::map<std::string, std::string>& value);
};

/// A map, or the address of one way in, as in `http://127.0.0.1:8080`.
struct ListenForm : Form<ListenConfig> {
  static void read(Reading& reading, const Place& place, ListenConfig& into);
};

}  // namespace fairlead::gateway

#pragma once

#include <fairlead/client/client.hpp>
#include <fairlead/skills/skill.hpp>
#include <string>
#include <utility>
#include <vector>

namespace fairlead::skills {

// For coroutines.

/// The skills that the server lists, all pages. Reads no file. `refused` if the server does not have the extension.
Task<Result<std::vector<Skill>>> list_skills(client::Connection connection);

/// The entry of one skill, by the URI of its SKILL.md.
Task<Result<Skill>> get_skill(client::Connection connection, std::string uri);

/// Reads SKILL.md and returns its text. `malformed` if the entry breaks the rules of the specification, or if size,
/// digest or front matter differ from the entry: then do not use the skill.
Task<Result<std::string>> load_skill(client::Connection connection, Skill skill);

/// Reads a file of the skill by its path in the skill's directory, such as `references/forms.md`. Only listed files can
/// be read, and their size and digest are checked. The files of a dynamic skill have no digest.
Task<Result<std::string>> read_skill_file(client::Connection connection, Skill skill, std::string path);

// For the blocking client. They throw client::Failure.

/// A skill whose SKILL.md was read and checked. Refers to the client, which must outlive it.
class LoadedSkill {
 public:
  LoadedSkill(client::Client& client, Skill skill, std::string text)
      : client_(&client), skill_(std::move(skill)), text_(std::move(text)) {}

  const Skill& skill() const { return skill_; }
  const std::string& text() const { return text_; }  ///< SKILL.md, with its front matter.

  /// The bytes of a file; see read_skill_file.
  std::string read(std::string path);

 private:
  client::Client* client_;
  Skill skill_;
  std::string text_;
};

std::vector<Skill> list_skills(client::Client& client);
Skill get_skill(client::Client& client, std::string uri);
LoadedSkill load_skill(client::Client& client, Skill skill);

}  // namespace fairlead::skills

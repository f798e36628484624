// Skills: a folder with a SKILL.md, served, listed and loaded with verification. Link fairlead::skills.
#include <fairlead/skills.hpp>

#include <fairlead/client.hpp>
#include <fairlead/server.hpp>
#include <filesystem>
#include <fstream>
#include <iostream>

namespace {

std::filesystem::path make_folder() {
  auto folder = std::filesystem::temp_directory_path() / "fairlead-example-skills";
  std::filesystem::create_directories(folder / "release-notes" / "references");
  std::ofstream(folder / "release-notes" / "SKILL.md") << "---\n"
                                                          "name: release-notes\n"
                                                          "description: Write release notes from commits.\n"
                                                          "---\n"
                                                          "Group the commits by what users notice.\n";
  std::ofstream(folder / "release-notes" / "references" / "style.md") << "One line for each change.\n";
  return folder;
}

}  // namespace

int main() {
  const auto folder = make_folder();
  fairlead::Server app{"team-skills", "1.0"};
  auto served = fairlead::serve_skills(app, folder);

  auto client = fairlead::connect(app);
  std::string style;
  for (const auto& skill : fairlead::list_skills(client)) {
    std::cout << skill.name() << ": " << skill.description() << '\n';
    // Show name and description to the user or the model first; read the skill when it is used.
    auto loaded = fairlead::load_skill(client, skill);
    std::cout << loaded.text();
    style = loaded.read("references/style.md");
  }

  // Clients see the old files until the folder is read again; they are notified of the change.
  std::ofstream(folder / "release-notes" / "references" / "style.md") << "Two lines for each change.\n";
  if (!served.reload()) return 1;
  std::filesystem::remove_all(folder);
  return style == "One line for each change.\n" ? 0 : 1;
}

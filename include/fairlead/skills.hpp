#pragma once

#include <fairlead/skills/client.hpp>
#include <fairlead/skills/serve.hpp>

/// Names of the Skills extension, in the namespace fairlead. Link fairlead::skills.
namespace fairlead {

using skills::list_skills;
using skills::load_skill;
using skills::LoadedSkill;
using skills::serve_skills;
using skills::ServedSkills;
using skills::Skill;
using skills::SkillFiles;
using skills::SkillsOptions;

}  // namespace fairlead

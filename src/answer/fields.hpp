#pragma once

#include "answer/config.hpp"
#include "config/fields.hpp"

namespace fairlead::config {

template <>
const FieldList<answer::AnswerConfig> Fields<answer::AnswerConfig>::all;

}  // namespace fairlead::config

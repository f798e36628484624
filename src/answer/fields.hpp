#pragma once

#include "answer/config.hpp"
#include "config/fields.hpp"

/// The field tables of the configuration of `answer`.
namespace fairlead::config {

template <>
std::span<const Field<answer::Profile>> fields();
template <>
std::span<const Field<answer::Profiles>> fields();
template <>
std::span<const Field<answer::EndpointConfig>> fields();
template <>
std::span<const Field<answer::RequestConfig>> fields();
template <>
std::span<const Field<answer::SystemPolicy>> fields();
template <>
std::span<const Field<answer::PolicyConfig>> fields();
template <>
std::span<const Field<answer::SearchDefaults>> fields();
template <>
std::span<const Field<answer::SearchConfig>> fields();
template <>
std::span<const Field<answer::ServerConfig>> fields();
template <>
std::span<const Field<answer::AnswerConfig>> fields();

}  // namespace fairlead::config

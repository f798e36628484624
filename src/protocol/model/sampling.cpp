#include <fairlead/protocol/model/sampling.hpp>

#include <fairlead/json/codec/extern_codec_impl.hpp>

namespace fairlead::json {

using protocol::SamplingBlock;
using protocol::SamplingContent;

void Codec<SamplingContent>::write(std::string& out, const SamplingContent& content) {
  if (content.single && content.blocks.size() == 1) {
    Codec<SamplingBlock>::write(out, content.blocks.front());
  } else {
    Codec<std::vector<SamplingBlock>>::write(out, content.blocks);
  }
}

bool Codec<SamplingContent>::read(Decoder& decoder, SamplingContent& content) {
  content.single = decoder.in.kind() != Kind::array;
  if (!content.single) return Codec<std::vector<SamplingBlock>>::read(decoder, content.blocks);
  content.blocks.resize(1);
  return Codec<SamplingBlock>::read(decoder, content.blocks.front());
}

void Codec<SamplingContent>::describe(SchemaText& schema) {
  Codec<std::variant<SamplingBlock, std::vector<SamplingBlock>>>::describe(schema);
}

template struct ExternCodec<protocol::SamplingBlock>;
template struct ExternCodec<protocol::CreateMessageParams>;
template struct ExternCodec<protocol::CreateMessageResult>;

}  // namespace fairlead::json

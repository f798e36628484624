#pragma once

#include <string_view>

namespace fairlead::demo {

/// A page for MCP Apps without libraries: it greets the host, and shows each result that the host sends.
inline constexpr std::string_view weather_page = R"(<!doctype html>
<meta charset="utf-8">
<title>Weather</title>
<style>
  body { font: 1rem sans-serif; margin: 1rem; color-scheme: light dark; }
  output { display: block; font-size: 2.5rem; }
</style>
<main>
  <span id="city">Waiting for the weather …</span>
  <output id="temperature"></output>
</main>
<script>
  const send = message => window.parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
  const signs = { celsius: '°C', fahrenheit: '°F' };
  function show({ structuredContent: weather }) {
    if (!weather) return;
    document.getElementById('city').textContent = weather.city;
    document.getElementById('temperature').textContent = `${Math.round(weather.temperature)} ${signs[weather.unit]}`;
    const { scrollWidth: width, scrollHeight: height } = document.documentElement;
    send({ method: 'ui/notifications/size-changed', params: { width, height } });
  }
  window.addEventListener('message', ({ source, data }) => {
    if (source !== window.parent) return;
    if (data.id === 1 && data.result) send({ method: 'ui/notifications/initialized', params: {} });
    if (data.method === 'ui/notifications/tool-result') show(data.params);
    if (data.method === 'ui/resource-teardown' || data.method === 'ping') send({ id: data.id, result: {} });
  });
  const appInfo = { name: 'fairlead-demo-weather', version: '1.0' };
  send({ id: 1, method: 'ui/initialize', params: { appInfo, appCapabilities: {}, protocolVersion: '2026-01-26' } });
</script>
)";

}  // namespace fairlead::demo

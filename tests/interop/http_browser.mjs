// A browser without a window: opens an authorization URL of oidc-provider, signs in as `FAIRLEAD_TEST_USER` (ann by
// default), consents, and follows the redirect to the client's callback. Use it as BROWSER='node http_browser.mjs'.
import {fileURLToPath} from 'node:url';

class CookieJar {
  #cookies = [];

  store(response, url) {
    for (const line of response.headers.getSetCookie()) {
      const [pair, ...attributes] = line.split(';').map((part) => part.trim());
      const [name, value] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)];
      const path = attributes.find((a) => /^path=/i.test(a))?.slice(5) ?? '/';
      this.#cookies = this.#cookies.filter((c) => c.name !== name || c.path !== path || c.host !== url.host);
      if (value !== '') this.#cookies.push({name, value, path, host: url.host});
    }
  }

  header(url) {
    const matches = (c) => c.host === url.host && (url.pathname === c.path || url.pathname.startsWith(c.path.replace(/\/?$/, '/')));
    return this.#cookies.filter(matches).map((c) => `${c.name}=${c.value}`).join('; ');
  }
}

// The fields that the page's form needs, or nothing if the page has no form that a user would submit.
function formOf(html, {user, key}) {
  const form = html.match(/<form([^>]*)>/)?.[1];
  if (form === undefined) return undefined;
  const action = form.match(/action="([^"]+)"/)?.[1] ?? '';
  const fields = new URLSearchParams();
  for (const [, attributes] of html.matchAll(/<input([^>]*)>/g)) {
    const name = attributes.match(/name="([^"]+)"/)?.[1];
    if (name) fields.set(name, attributes.match(/value="([^"]*)"/)?.[1] ?? '');
  }
  if (fields.has('login')) fields.set('login', user);
  if (fields.has('password')) fields.set('password', 'any');
  if (fields.has('key')) fields.set('key', key);
  return {action: action.replaceAll('&amp;', '&'), fields};
}

/// Opens the URL and returns the last page: {url, status, text}. `key` is for forms of the gateway; `deny` aborts the interaction instead of signing in;
/// addresses that start with `unreachable` are not opened.
export async function browse(start, {user = 'ann', key = '', deny = false, jar = new CookieJar(), unreachable} = {}) {
  let url = new URL(start);
  let body;
  for (let step = 0; step < 30; ++step) {
    const response = await fetch(url, {
      method: body ? 'POST' : 'GET',
      body,
      redirect: 'manual',
      headers: {cookie: jar.header(url), accept: 'text/html', ...(body && {origin: url.origin})},
    });
    jar.store(response, url);
    body = undefined;
    const location = response.headers.get('location');
    if (response.status >= 300 && response.status < 400 && location) {
      url = new URL(location, url);
      if (unreachable && url.href.startsWith(unreachable)) return {url};
      continue;
    }
    const text = await response.text();
    const form = response.ok ? formOf(text, {user, key}) : undefined;
    if (!form) return {url, status: response.status, text};
    if (deny && url.pathname.startsWith('/interaction/')) {
      url = new URL(`${url.pathname}/abort`, url);
      continue;
    }
    if (form.action !== '') url = new URL(form.action, url);
    body = form.fields;
  }
  throw new Error(`more than 30 pages after ${start}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const user = process.env.FAIRLEAD_TEST_USER ?? 'ann';
  const page = await browse(process.argv.at(-1), {user, deny: process.env.FAIRLEAD_TEST_DENY === '1'});
  if (page.status !== 200) {
    console.error(`${page.url.origin}${page.url.pathname} answered ${page.status}: ${page.text.slice(0, 500)}`);
    process.exit(1);
  }
}

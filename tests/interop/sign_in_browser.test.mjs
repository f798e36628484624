// The sign-in with a real browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chromiumCommand, openPage, waitFor, withoutChromium } from './chromium.mjs';
import { signInWorld, startLogin } from './sign_in_fixture.mjs';

test('login opens Chromium, which comes back', { skip: withoutChromium }, async t => {
  const browser = (await chromiumCommand(t)).join(' ');
  const world = await signInWorld(t, { issuer: { user: 'ann' }, home: { browser } });
  const done = await world.fairlead(['login', world.url]);
  assert.equal(done.code, 0, done.stderr);
  assert.match(done.stdout, /subject +ann/);
});

test('a user signs in with the forms in Chromium, and the last page runs and loads nothing', { skip: withoutChromium }, async t => {
  const world = await signInWorld(t);
  const { page: address, ended } = await startLogin(world);
  const page = await openPage(t, address.href);
  await waitFor(page, "!!document.querySelector('input[name=login]')");
  await page.evaluate("document.querySelector('input[name=login]').value = 'ann'; document.querySelector('input[name=password]').value = 'any'; document.forms[0].submit()");
  await waitFor(page, "document.title.includes('Authorize') || document.body.innerText.includes('Continue')");
  await page.evaluate('document.forms[0].submit()');
  await waitFor(page, "document.body.innerText.includes('You can close this window')");
  assert.equal(await ended, 0);
  assert.equal(await page.evaluate('document.scripts.length'), 0);
  const callback = page.requests.findIndex(url => url.startsWith(address.searchParams.get('redirect_uri')));
  assert.deepEqual(page.requests.slice(callback + 1).filter(url => !url.endsWith('/favicon.ico')), []);
});

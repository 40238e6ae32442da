import test from 'ava';
import type { Page } from 'playwright-core';
import { DAY_MS } from '../../../domain/durations.js';
import { assertAccessible } from '../../support/axe.js';
import { picture, readHeading, type WatchedPage } from '../../support/browser.js';
import { certificateUntil } from '../../support/certificates.js';
import { launchBrowser } from '../../support/chromium.js';
import { openDashboard, readMainText } from '../../support/dashboard.js';
import { startOidcProvider } from '../../support/oidc-provider.js';
import { once } from '../../support/once.js';
import { startSamlProvider } from '../../support/saml-provider.js';
import { db } from '../../support/stack.js';
import { uniqueEmail } from '../../support/workspaces.js';
import { uniqueName } from './sso-settings-calls.js';

const browser = once(launchBrowser);

/** Presses the button of the test. Returns the tab that it opens. */
async function runTest(page: WatchedPage, button = 'Run test'): Promise<Page> {
  const [tab] = await Promise.all([
    page.context().waitForEvent('page'),
    page.click(`button:text("${button}")`),
  ]);
  return tab;
}

/** Checks a page on a phone and on a wide screen. */
async function look(t: Parameters<typeof assertAccessible>[0], page: Page, name: string): Promise<void> {
  await assertAccessible(t, page, name);
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    const cut = `[document.documentElement, ...document.querySelectorAll('main .card')]
      .filter((node) => node.scrollWidth > node.clientWidth).map((node) => node.className || node.tagName)`;
    t.deepEqual(await page.evaluate(cut), [], `${name} at ${width}`);
    await picture(page, `${name}-${width}`);
  }
}

test('an owner connects a provider without help: name, values in both directions, test, switch', async (t) => {
  const { workspace, page, home } = await openDashboard(await browser());
  const account = { sub: 'Ada-1', email: uniqueEmail(), name: 'Ada Lovelace' };
  const provider = await startOidcProvider(t, workspace.id, account, {
    token_endpoint_auth_method: 'client_secret_basic',
    client_secret: 'a secret',
  });
  await page.click('nav a:text-is("Sign-in")').catch(() => page.goto(`${home}/sign-in`));
  await look(t, page, 'sso-settings-empty');
  await page.fill('#sign_in_name', uniqueName());
  await page.click('button:text("Save sign-in name")');
  await page.click('a:text("Other (OpenID Connect)")');
  t.true((await page.inputValue('#redirect-uri')).endsWith(`/sso/${workspace.id}/callback`));
  await page.fill('#issuer', provider.issuer);
  await page.fill('#client_id', 'holdfast');
  await page.fill('#client_secret', 'wrong secret');
  await page.fill('#provider_name', 'House ID');
  await look(t, page, 'sso-settings-form');
  await page.click('button:text("Save and continue to test")');

  const failed = await runTest(page);
  await failed.waitForURL(/\/callback/);
  t.is(await readHeading(failed), 'Test failed');
  await look(t, failed, 'sso-test-failed');
  await failed.close();
  await page.fill('#client_secret', 'a secret ');
  await page.click('button:text("Save and continue to test")');
  const passed = await runTest(page);
  await passed.waitForURL(/\/callback/);
  t.is(await readHeading(passed), 'Test passed');
  t.regex(await readMainText(passed as WatchedPage), /Ada-1[^]*Ada Lovelace/);
  await passed
    .locator('details')
    .evaluateAll((all: HTMLDetailsElement[]) => all.forEach((each) => (each.open = true)));
  await look(t, passed, 'sso-test-passed');
  await passed.click('a:text("Back to settings")');
  await passed.check('input[name="enabled"]');
  await passed.check('input[name="required"][value="staff"]');
  await passed.click('button:text("Save access rules")');
  t.regex(await readMainText(passed as WatchedPage), /Access rules saved\. Single sign-on is on/);
  await look(t, passed, 'sso-settings-on');
  t.like((await workspace.api.get('/v1/workspace')).body.sso, { enabled: true, required: 'staff' });
  t.deepEqual(page.complaints, []);
  await page.context().close();
});

test('SAML by metadata: a certificate that the provider no longer signs with fails the test, but not the logins', async (t) => {
  const { workspace, page, home } = await openDashboard(await browser());
  const provider = await startSamlProvider(t, workspace.id, { id: 'ada', email: uniqueEmail() });
  const { entity_id, sso_url, certificates, binding } = provider.provider;
  const expired = await certificateUntil(new Date(Date.now() - DAY_MS));
  const enter = async (pem: string[]): Promise<void> => {
    await page.goto(`${home}/sign-in?provider=saml`);
    await page
      .locator('main details')
      .evaluateAll((all: HTMLDetailsElement[]) => all.forEach((each) => (each.open = true)));
    await page.fill('#entity_id', entity_id);
    await page.fill('#sso_url', sso_url);
    await page.selectOption('#binding', binding);
    await page.selectOption('#sign_requests', 'yes');
    await page.fill('#certificates', pem.join('\n'));
    await page.fill('#provider_name', 'House SAML');
    await page.click('button:text("Save and continue to test")');
  };
  const titleAfterTest = async (): Promise<string | null> => {
    const tab = await runTest(page);
    await tab.click('button:text("Go on")');
    await tab.waitForURL(/\/acs\?login/);
    const title = await readHeading(tab);
    await picture(tab as WatchedPage, `sso-saml-${title!.includes('failed') ? 'failed' : 'passed'}`);
    await tab.close();
    return title;
  };
  const inUse = async () =>
    (
      await db.query(
        `SELECT provider -> 'certificates' AS pem FROM sso_connections WHERE workspace_id = $1`,
        [workspace.id],
      )
    )[0]?.pem ?? null;

  await enter([expired, ...certificates]);
  await look(t, page, 'sso-settings-saml');
  t.is(await titleAfterTest(), 'Test passed', 'the first of two has expired');
  t.is((await inUse()).length, 2);
  await enter([expired]);
  t.is(await titleAfterTest(), 'Test failed');
  t.is((await inUse()).length, 2, 'people sign in as before');
  await page.context().close();
});

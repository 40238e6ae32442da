import test from 'ava';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../../support/chromium.js';
import { newPage, picture, readHeading } from '../../support/browser.js';
import { authorizeUrl, startApp } from '../../support/oauth-app.js';
import { startSamlProvider } from '../../support/saml-provider.js';
import { dev } from '../../support/stack.js';
import { Visitor } from '../../support/visitor.js';
import { openSignedIn } from '../../support/web-session.js';
import { newMember } from '../../support/people.js';
import { newWorkspace, findOwnerEmail, uniqueEmail } from '../../support/workspaces.js';
import { addMember, at, connect, newScene, refusals } from './sso-calls.js';

let browser: Browser;

test.before(async () => {
  browser = await launchBrowser();
});

/** From the general sign-in page to that of a workspace. */
async function openSignInPage(name: string) {
  const page = await newPage(browser);
  await page.goto(at('/sign-in'));
  await page.click('a:text("Single sign-on")');
  await page.fill('#name', name);
  await page.click('button:text("Continue")');
  await page.waitForURL(at(`/sign-in/${name}`));
  return page;
}

test('a member gets from the sign-in page to the calendar with OpenID Connect', async (t) => {
  const scene = await newScene(t);
  await addMember(scene.workspace, scene.provider.account.email!, { role: 'front_desk' });
  const page = await openSignInPage(scene.name);
  await picture(page, 'sso-sign-in');
  await page.click('button:text("Continue with Okta")');
  await page.waitForURL(at(`/dashboard/${scene.workspace.id}`));
  const calendar = await page.goto(at(`/dashboard/${scene.workspace.id}/calendar`));
  t.is(calendar!.status(), 200);
  t.is(await page.locator('a:text-is("Account")').count(), 0);
  t.deepEqual(page.complaints, []);
  await page.click('button:text-is("Sign out")');
  await page.goto(at(`/dashboard/${scene.workspace.id}`));
  t.true(page.url().includes('/sign-in'));
  await page.context().close();
});

for (const binding of ['redirect', 'post'] as const)
  test(`a member gets from the sign-in page to the calendar with SAML, by a ${binding}`, async (t) => {
    const workspace = await newWorkspace();
    const email = uniqueEmail();
    await addMember(workspace, email, { role: 'front_desk' });
    const provider = await startSamlProvider(t, workspace.id, { id: 'ada', email }, binding);
    const name = await connect(workspace.id, { provider: provider.provider });
    const page = await openSignInPage(name);
    await page.click('button:text("Continue with Okta")');
    await page.click('button:text("Go on")');
    await page.waitForURL(at(`/dashboard/${workspace.id}`));
    const calendar = await page.goto(at(`/dashboard/${workspace.id}/calendar`));
    t.is(calendar!.status(), 200);
    t.deepEqual(page.complaints, []);
    await page.context().close();

    // The same answer again, by another process if there is one, and without a login.
    const { url, fields } = provider.sent!;
    for (const base of dev.baseUrls ?? [dev.baseUrl]) {
      const again = await new Visitor().send(url.replace(dev.baseUrl, base), {
        method: 'POST',
        body: new URLSearchParams(fields),
        headers: { origin: new URL(provider.provider.sso_url).origin },
      });
      const shown = await new Visitor().follow(new URL(again.headers.get('location')!, base).href);
      t.regex(shown.html, /Start from the sign-in page/);
    }
    t.deepEqual(await refusals(workspace.id), []);
  });

test('consent for an application needs the provider of the workspace too', async (t) => {
  const scene = await newScene(t, {}, { required: 'everyone' });
  const member = await newMember(scene.workspace);
  const app = await startApp(scene.workspace.api);
  t.teardown(() => app.close());
  const page = await openSignedIn(browser, member.email);
  await page.goto((await authorizeUrl(app, 'calendar:read')).address);
  t.is(await readHeading(page), 'Sign in to Test house');
  await page.context().close();
});

test('an owner whom the provider has signed in gives no application access', async (t) => {
  const scene = await newScene(t, {}, { trust_second_factor: true });
  scene.provider.account.email = await findOwnerEmail(scene.workspace.id);
  const app = await startApp(scene.workspace.api);
  t.teardown(() => app.close());
  const page = await openSignInPage(scene.name);
  await page.click('button:text("Continue with Okta")');
  await page.waitForURL(at(`/dashboard/${scene.workspace.id}`));
  await page.goto((await authorizeUrl(app, 'calendar:read')).address);
  t.is(await readHeading(page), 'Sign in with your email address');
  await page.context().close();
});

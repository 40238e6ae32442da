import { createHash } from 'node:crypto';
import type { Browser, Request } from 'playwright-core';
import type { WatchedPage } from '../../support/browser.js';
import { db, dev } from '../../support/stack.js';
import { newWorkspace } from '../../support/workspaces.js';
import { WebSession } from '../../support/web-session.js';
import { newMember } from '../../support/people.js';

/** Where browsers find the service by a name, as passkeys do not work with IP addresses. */
export const HOST = dev.baseUrl.replace('127.0.0.1', 'localhost');

/** Gives a page an authenticator that verifies its user, like a phone or a laptop. */
export async function addAuthenticator(page: WatchedPage) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable', { enableUI: false });
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    /** Whether it verifies its user from now on. */
    recognises: (isUserVerified: boolean) =>
      cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
    credentials: async () => (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
  };
}

/** A page with an authenticator in which a person is signed in. */
export async function openWithAuthenticator(browser: Browser, session: WebSession) {
  const page = await session.openPage(browser, HOST);
  return { page, authenticator: await addAuthenticator(page) };
}

/** Adds a passkey from the account page, which redirects to `after`. */
export async function addPasskey(page: WatchedPage, name: string): Promise<void> {
  await page.goto(`${HOST}/account/passkeys/new`);
  await page.fill('#name', name);
  await page.click('button:text("Add passkey")');
}

/** Presses a passkey's button, and returns what the page sends to a path, which `before` may delay. */
export async function sentTo(
  page: WatchedPage,
  path: string,
  button: string,
  before?: (form: URLSearchParams) => Promise<unknown>,
): Promise<URLSearchParams> {
  let form: URLSearchParams | undefined;
  await page.route(HOST + path, async (route) => {
    form = new URLSearchParams((route.request() as Request).postData() ?? '');
    await before?.(form);
    await route.continue();
  });
  const answered = page.waitForResponse(HOST + path);
  await page.click(`button:text("${button}")`);
  await answered;
  await page.unroute(HOST + path);
  return form!;
}

/** The identifier of the stored challenge that a browser has signed. */
function digestIn(form: URLSearchParams): Buffer {
  const { response } = JSON.parse(form.get('passkey')!) as { response: { clientDataJSON: string } };
  const { challenge } = JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString()) as {
    challenge: string;
  };
  return createHash('sha256').update(challenge).digest();
}

/** Moves the challenge that a browser has signed into the past. */
export const ageChallenge = (minutes: number) => (form: URLSearchParams) =>
  db.query(
    `UPDATE passkey_challenges SET created_at = created_at - $2 * interval '1 minute' WHERE digest = $1`,
    [digestIn(form), minutes],
  );

/** SQL for the profile with the address `$1`. */
export const PROFILE = `(SELECT id FROM profiles WHERE email = $1)`;

/** Moves the latest code or passkey of a person's sessions beyond the 15 minutes for which it counts. */
export const ageProof = (email: string): Promise<unknown> =>
  db.query(
    `UPDATE sessions SET second_factor_at = now() - interval '16 minutes' WHERE profile_id = ${PROFILE}`,
    [email],
  );

/** The names of a person's passkeys. */
export const listPasskeys = async (email: string): Promise<string[]> =>
  (
    await db.query(`SELECT name FROM passkeys WHERE profile_id = ${PROFILE} ORDER BY created_at`, [email])
  ).map(({ name }: { name: string }) => name);

/** A member with a passkey as their only second factor, signed in. */
export async function newPerson(browser: Browser) {
  const workspace = await newWorkspace();
  const { id, email } = await newMember(workspace);
  const opened = await openWithAuthenticator(browser, await WebSession.start(email));
  await addPasskey(opened.page, 'Laptop');
  await opened.page.locator('ul.codes').waitFor();
  const codes = await opened.page.locator('ul.codes code').allTextContents();
  return { workspace, id, email, codes, ...opened };
}

/** The path of a page after the sign-in. */
export async function arrived(page: WatchedPage): Promise<string> {
  await page.waitForURL((url) => !url.pathname.startsWith('/sign-in'));
  return new URL(page.url()).pathname;
}

import type { Browser, BrowserContext } from 'playwright-core';
import { mailTo } from '../support/simulators.js';
import { newMember } from '../support/people.js';
import { dev } from '../support/stack.js';
import { until } from '../support/until.js';
import { WebSession } from '../support/web-session.js';
import { findOwnerEmail, uniqueEmail, type TestWorkspace } from '../support/workspaces.js';
import { addMember, newScene } from '../web/single-sign-on/sso-calls.js';
import type { Places } from './places.js';
import type { VisitorName } from './view.js';
import { UNBROKEN } from './words.js';

export interface Visitors {
  contexts: Record<VisitorName, BrowserContext>;
  /** The address of the member of `many`. */
  memberEmail: string;
  /** The link that confirms another address of that member. */
  addressLink: string;
  /** The name of a sign-in page with a provider. */
  ssoName: string;
  close(): Promise<void>;
}

const PATIENCE_MS = 120_000;
const QUIET = { reducedMotion: 'reduce' } as const;

/** A browser context with a session. */
async function openContext(
  browser: Browser,
  session?: WebSession,
  locale = 'en-GB',
): Promise<BrowserContext> {
  const context = await browser.newContext({ ...QUIET, locale });
  if (session) await session.takeTo(context);
  return context;
}

async function openOwner({ id }: TestWorkspace): Promise<WebSession> {
  const session = await WebSession.start(await findOwnerEmail(id));
  await session.enrol();
  return session;
}

/** A session that still needs its code. */
async function openBeforeCode(workspace: TestWorkspace): Promise<WebSession> {
  const { email } = await newMember(workspace, { role: 'admin' });
  await (await WebSession.start(email)).enrol();
  return WebSession.start(email);
}

/** The link in the mail to the address that a person has requested. */
async function requestAddress(session: WebSession, workspace: TestWorkspace): Promise<string> {
  const email = uniqueEmail();
  await session.post('/account/email', { workspace: workspace.id, email, email_again: email });
  const { links } = await until(async () => (await mailTo(email))[0]);
  return links.find((link) => link.includes('/account/email/'))!;
}

/** Signs a member in at the identity provider of a workspace. */
async function openFromProvider(
  browser: Browser,
  role: 'front_desk' | 'admin',
  teardown: (close: () => unknown) => void,
): Promise<{ context: BrowserContext; name: string }> {
  const scene = await newScene({ teardown });
  await addMember(scene.workspace, scene.provider.account.email!, { role });
  const context = await openContext(browser);
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  await page.goto(`${dev.baseUrl}/sign-in/${scene.name}`);
  await page.click('button:text("Continue with Okta")');
  await page.waitForURL(
    (url) => url.pathname === '/sso/second-factor' || url.pathname.startsWith('/dashboard'),
  );
  await page.close();
  return { context, name: scene.name };
}

/** A browser context for each of those who look at the pages. */
export async function openVisitors(browser: Browser, { empty, one, many }: Places): Promise<Visitors> {
  const closing: (() => unknown)[] = [];
  const teardown = (close: () => unknown): void => void closing.push(close);
  const { workspace } = many;
  const { email: memberEmail } = await newMember(workspace, { name: UNBROKEN });
  const [member, ofEmpty, ofOne, ofMany, withoutFactor, fromProvider, admin] = await Promise.all([
    WebSession.start(memberEmail),
    openOwner(empty.workspace),
    openOwner(one.workspace),
    openOwner(workspace),
    newMember(workspace, { role: 'admin' }).then(({ email }) => WebSession.start(email)),
    openFromProvider(browser, 'front_desk', teardown),
    openFromProvider(browser, 'admin', teardown),
  ]);
  const contexts: Visitors['contexts'] = {
    nobody: await openContext(browser),
    german: await openContext(browser, undefined, 'de-DE'),
    'owner of empty': await openContext(browser, ofEmpty),
    'owner of one': await openContext(browser, ofOne),
    'owner of many': await openContext(browser, ofMany),
    'member of many': await openContext(browser, member),
    'person before a code': await openContext(browser, await openBeforeCode(workspace)),
    'person without a factor': await openContext(browser, withoutFactor),
    'person from a provider': fromProvider.context,
    'admin from a provider': admin.context,
  };
  return {
    contexts,
    memberEmail,
    addressLink: await requestAddress(member, workspace),
    ssoName: fromProvider.name,
    close: async () => {
      for (const context of Object.values(contexts)) await context.close();
      for (const close of closing) close();
    },
  };
}

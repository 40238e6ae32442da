import { randomUUID } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import { insertMember } from '../../commands/members/members.js';
import { createEncryption } from '../../db/encryption.js';
import { createRouter } from '../../api/app.js';
import type { ApiDependencies } from '../../api/dependencies.js';
import { PAGES } from '../../web/routes.js';
import { createMember } from '../support/member-calls.js';
import { newMember } from '../support/people.js';
import { confirmedBooking, hoursLater } from '../support/bookings.js';
import { linksTo, newPage, nextPage, type WatchedPage } from '../support/browser.js';
import { launchBrowser } from '../support/chromium.js';
import { authorizeUrl, startApp } from '../support/oauth-app.js';
import { once } from '../support/once.js';
import { newInvoice, newPayer } from '../support/payers.js';
import { mailTo, processorLedger } from '../support/simulators.js';
import { db, dev } from '../support/stack.js';
import { until } from '../support/until.js';
import { WebSession } from '../support/web-session.js';
import { newRoom, newWorkspace, uniqueEmail, type TestWorkspace } from '../support/workspaces.js';
import { message } from '../support/message.js';

const browser = once(launchBrowser);

/** A form of a guest, payer or member, up to its submission. */
interface Scene {
  page: WatchedPage;
  /** Opens the form in a tab, filled in. */
  open: (tab: WatchedPage) => Promise<void>;
  /** The button that submits it. */
  button: string;
  /** The address or text of the next page. */
  done: RegExp;
  /** What a tab shows that submits it later, or again after Back; by default `done`. */
  already?: RegExp;
  /** How often it took effect. */
  effects: () => Promise<number>;
  /** Reloading the next page deliberately requests the same again. */
  reloadRepeats?: true;
}

const count = async (sql: string, values: unknown[]): Promise<number> =>
  Number((await db.query(`SELECT count(*) AS n FROM ${sql}`, values))[0].n);

const countRefunds = async (workspace: TestWorkspace): Promise<number> =>
  (await processorLedger(workspace)).refunds.length;

const ofChange = (bookingId: string) => () =>
  count(`checkouts c JOIN booking_changes b ON b.id = c.change_id WHERE b.booking_id = $1`, [bookingId]);

const PROCESSOR = new RegExp(`^${dev.processorUrl}`);

const mailedLink = (email: string, path: string): Promise<string> =>
  until(async () => (await mailTo(email)).flatMap(({ links }) => links).find((link) => link.includes(path)));

const anonymousPage = async (): Promise<WatchedPage> => newPage(await browser());

/** The booking page, up to the details of a time. */
async function bookingForm(amount_minor: number) {
  const workspace = await newWorkspace();
  const price_per_hour = { currency: 'GBP', amount_minor };
  const room = await newRoom(workspace.api, { price_per_hour });
  const slug = `house-${randomUUID().slice(0, 8)}`;
  await workspace.api.put('/v1/booking-page', { slug });
  const page = await anonymousPage();
  await page.goto(`${dev.baseUrl}/book/${slug}/rooms/${room.id}`);
  await page.locator('ul.times a').last().click();
  const [details, email] = [page.url(), uniqueEmail()];
  const open = async (tab: WatchedPage): Promise<void> => {
    await tab.goto(details);
    await tab.fill('#name', 'Grace Guest');
    await tab.fill('#email', email);
  };
  const effects = () => count('bookings WHERE workspace_id = $1', [workspace.id]);
  return { page, open, effects, email, button: 'main button[type=submit]' };
}

async function managed(how: Parameters<typeof confirmedBooking>[1] = {}) {
  const workspace = await newWorkspace();
  const { booking } = await confirmedBooking(workspace.api, how);
  return { workspace, booking, link: booking.manage_url!, page: await anonymousPage() };
}

async function moveForm(minutes: number) {
  const { workspace, booking, link, page } = await managed({ hours: 2 });
  const start = hoursLater(booking.start_at, 24);
  const open = async (tab: WatchedPage): Promise<void> => {
    await tab.goto(`${link}/move?minutes=${minutes}&start=${start}`);
  };
  return { workspace, booking, link, page, open, button: 'main button[type=submit]' };
}

/** The page of a signed-in person. */
async function signedInAt(workspace: TestWorkspace, email: string, path: string, accepts = true) {
  const session = await WebSession.start(email, { accepts });
  const page = await session.openPage(await browser());
  const open = async (tab: WatchedPage): Promise<void> => {
    await tab.goto(dev.baseUrl + path);
  };
  return { workspace, page, open };
}

async function portal() {
  const workspace = await newWorkspace();
  const { id, email } = await newMember(workspace);
  return {
    id,
    ...(await signedInAt(workspace, email, `/dashboard/${workspace.id}/membership`)),
  };
}

const FORMS: Record<string, () => Promise<Scene>> = {
  '/book/:slug/rooms/:room/details': async () => ({ ...(await bookingForm(2_500)), done: PROCESSOR }),
  '/confirm/:token': async () => {
    const { page, open, button, email, effects } = await bookingForm(0);
    await open(page);
    await page.click(button);
    const link = await mailedLink(email, '/confirm/');
    return {
      page,
      open: async (tab) => void (await tab.goto(link)),
      button,
      done: new RegExp(message('payer.confirmed')),
      effects,
    };
  },
  '/manage/:token/cancel': async () => {
    const { workspace, link, page } = await managed();
    return {
      page,
      open: async (tab) => void (await tab.goto(`${link}/cancel`)),
      button: 'main button[type=submit]',
      done: new RegExp(message('payer.cancelled')),
      effects: () => countRefunds(workspace),
    };
  },
  '/manage/:token/move': async () => {
    const { workspace, ...scene } = await moveForm(60);
    return {
      ...scene,
      done: new RegExp(message('payer.done_moved')),
      already: new RegExp([message('payer.done_moved'), message('payer.done_same')].join('|')),
      effects: () => countRefunds(workspace),
    };
  },
  '/manage/:token/move, to be paid': async () => {
    const { booking, ...scene } = await moveForm(180);
    return { ...scene, done: PROCESSOR, effects: ofChange(booking.id) };
  },
  '/manage/:token/extras': async () => {
    const { workspace, booking, link, page } = await managed();
    const lunch = { name: 'Lunch', unit: 'booking', tax_code: 'STANDARD' };
    const price = { currency: 'GBP', amount_minor: 1_000 };
    const { status, body } = await workspace.api.post('/v1/extras', { ...lunch, price });
    if (status !== 201) throw new Error(JSON.stringify(body));
    return {
      page,
      open: async (tab) => {
        await tab.goto(`${link}/extras`);
        const input = tab.locator('main form input:visible').first();
        if ((await input.getAttribute('type')) === 'checkbox') await input.check();
        else await input.fill('1');
        await tab.click('main button[type=submit]');
        await tab.locator('#difference').waitFor();
      },
      button: 'main button[type=submit]',
      done: PROCESSOR,
      effects: ofChange(booking.id),
    };
  },
  '/manage/:token/withdraw': async () => {
    const { booking, link, page, open, button } = await moveForm(180);
    await open(page);
    await page.click(button);
    await page.waitForURL(PROCESSOR);
    return {
      page,
      open: async (tab) => void (await tab.goto(link)),
      button: `button:text("${message('payer.cancel_change')}")`,
      done: new RegExp(message('payer.done_withdrawn')),
      already: new RegExp(message('payer.confirmed')),
      effects: () =>
        count(`audit_log WHERE object = $1 AND action = 'booking.change_withdrawn'`, [booking.id]),
    };
  },
  '/pay/:token': async () => {
    const workspace = await newWorkspace();
    const invoice = await newInvoice(workspace, (await newPayer(workspace)).id, 7);
    return {
      page: await anonymousPage(),
      open: async (tab) => void (await tab.goto(invoice.pay_url!)),
      button: 'main button[type=submit]',
      done: PROCESSOR,
      effects: () => count('checkouts WHERE invoice_id = $1', [invoice.id]),
    };
  },
  '/sign-in': async () => {
    const { email } = await newMember(await newWorkspace());
    return {
      page: await anonymousPage(),
      open: async (tab) => {
        await tab.goto(`${dev.baseUrl}/sign-in`);
        await tab.fill('#email', email);
      },
      button: 'form[action="/sign-in"] button',
      done: /Check your email/,
      effects: () => count('sign_in_links WHERE email = $1', [email]),
      reloadRepeats: true,
    };
  },
  '/sign-in/link': async () => {
    const { email } = await newMember(await newWorkspace());
    const page = await anonymousPage();
    await page.request.post(`${dev.baseUrl}/sign-in`, {
      form: { email },
      headers: { origin: dev.baseUrl },
    });
    const link = await until(async () => (await linksTo(email))[0]);
    return {
      page,
      open: async (tab) => void (await tab.goto(link)),
      button: 'form[action="/sign-in/link"] button',
      done: /\/dashboard/,
      effects: () => count('sessions s JOIN profiles p ON p.id = s.profile_id WHERE p.email = $1', [email]),
    };
  },
  '/invite/:token': async () => {
    const workspace = await newWorkspace();
    const { email, id } = await createMember(workspace.api, { send_invite: true });
    const link = await mailedLink(email, '/invite/');
    return {
      page: await anonymousPage(),
      open: async (tab) => {
        await tab.goto(link);
        await tab.fill('#name', 'Ines');
      },
      button: 'main form button',
      done: /You have joined/,
      already: /You have joined|If you have used it, sign in/,
      effects: () => count(`events WHERE object_id = $1 AND type = 'member.activated'`, [id]),
    };
  },
  '/account/memberships/:workspace': async () => {
    const workspace = await newWorkspace();
    const { email } = await newMember(await newWorkspace());
    const added = { workspace_id: workspace.id, email, name: 'Mel', role: 'member', tier: 'basic' } as const;
    const { id } = await insertMember(db.manager, added);
    const path = `/account/memberships/${workspace.id}`;
    return {
      ...(await signedInAt(workspace, email, path, false)),
      button: 'main form button',
      done: new RegExp(`/dashboard/${workspace.id}`),
      effects: () => count('members WHERE id = $1 AND accepted_at IS NOT NULL', [id]),
    };
  },
  '/oauth/consent/:uid': async () => {
    const workspace = await newWorkspace();
    const { email } = await newMember(workspace);
    const app = await startApp(workspace.api);
    const { address } = await authorizeUrl(app, 'calendar:read');
    const session = await WebSession.start(email);
    const page = await session.openPage(await browser());
    await page.goto(address);
    const consent = page.url();
    return {
      page,
      open: async (tab) => void (await tab.goto(consent)),
      button: 'button[value=allow]',
      done: /Back in the application/,
      already: /Back in the application|Go back to the application and start again/,
      effects: () =>
        count(`audit_log WHERE workspace_id = $1 AND action = 'oauth_grant.created'`, [workspace.id]),
    };
  },
  '/dashboard/:workspace/membership/card': async () => {
    const { id, ...scene } = await portal();
    return {
      ...scene,
      button: 'button:text("Add card")',
      done: PROCESSOR,
      effects: () => count('card_setups WHERE member_id = $1', [id]),
    };
  },
  '/dashboard/:workspace/membership/calendar-address': async () => {
    const { id, ...scene } = await portal();
    return {
      ...scene,
      button: 'button:text("Create calendar address")',
      done: /Calendar address created/,
      effects: () => count('feeds WHERE member_id = $1', [id]),
      already: /Calendar address created|Replace calendar address/,
    };
  },
  '/dashboard/:workspace/membership/statements': async () => {
    const { id, open, ...scene } = await portal();
    await scene.workspace.api.post('/v1/invoices', {
      member_id: id,
      currency: 'GBP',
      due_at: hoursLater(new Date().toISOString(), 48),
      lines: [{ description: 'Desk', quantity: 1, unit_amount_minor: 5_000, tax_code: 'ZERO' }],
    });
    return {
      ...scene,
      open: async (tab) => {
        await open(tab);
        await tab.click('button:text("New statement")');
      },
      button: 'button:text("Issue statement")',
      done: /Statement issued/,
      already: /Statement issued|Your membership/,
      // Another tab may request its own statement.
      reloadRepeats: true,
      effects: () => count('statements WHERE member_id = $1', [id]),
    };
  },
};

/** Forms that are tested elsewhere, or that nobody submits twice by Back, Reload or a second tab. */
const OTHERS: Record<string, string> = {
  '/account/applications/withdraw': 'an account’s: withdrawing what is withdrawn changes nothing',
  '/account/authenticator': 'an account’s: leads to the setup of an authenticator',
  '/account/email': 'an account’s: a new request replaces the one before',
  '/account/email/:token': 'an account’s: its second use says that it was used',
  '/account/passkeys': 'sent by a script with an answer of the browser that works once',
  '/account/passkeys/rename': 'an account’s: the same name again changes nothing',
  '/account/passkeys/start': 'an account’s: leads to the page that adds a passkey',
  '/account/passkeys/remove': 'an account’s: removing what is removed changes nothing',
  '/account/recovery-codes': 'shows secrets once; takes a code that works once',
  '/account/sessions/end': 'an account’s: ending what has ended changes nothing',
  '/oauth/revoke': 'sent by programs',
  '/oauth/token': 'sent by programs',
  '/dashboard/:workspace/membership/card/remove': 'removing what is removed changes nothing',
  '/passkeys/options/proof': 'asked by a script',
  '/passkeys/options/register': 'asked by a script',
  '/passkeys/options/sign_in': 'asked by a script',
  '/sign-in/authenticator': 'takes a code that works once',
  '/sign-in/code': 'takes a code that works once',
  '/sign-in/code/passkey': 'sent by a script with an answer of the browser that works once',
  '/sign-in/passkey': 'sent by a script with an answer of the browser that works once',
  '/sign-in/:name': 'begins a login at a provider, each of which ends once',
  '/sso/proof': 'begins a login at a provider, each of which ends once',
  '/sso/:workspace/acs': 'sent by a provider, as the end of a login',
  '/sign-out': 'signing out twice leads to the sign-in',
  '/sign-out/everywhere': 'signing out twice leads to the sign-in',
};

const pathInTitle = (title: string): string => title.split(',')[0]!;

test('every form of guests, payers and members is in the list of repeated forms', (t) => {
  const encryption = createEncryption(Buffer.alloc(32).toString('base64'));
  const deps = { db, encryption, publicUrl: dev.baseUrl } as ApiDependencies;
  const posted = createRouter(deps, PAGES)
    .stack.filter(({ methods }) => methods.includes('POST'))
    .map(({ path }) => String(path))
    .filter((path) => !/^\/(v1|internal|webhooks)\//.test(path))
    .filter((path) => !path.startsWith('/dashboard/') || path.includes('/membership/'));
  const listed = new Set([...Object.keys(FORMS).map(pathInTitle), ...Object.keys(OTHERS)]);
  t.deepEqual(
    posted.filter((path) => !listed.has(path)),
    [],
    'forms without an entry',
  );
  t.deepEqual(
    [...listed].filter((path) => !posted.includes(path)),
    [],
    'entries without a form',
  );
});

/** A tab's address and text. */
const shown = async (tab: WatchedPage): Promise<string> =>
  `${tab.url()}\n${await tab.locator('body').innerText()}`;

/** Waits until a tab shows a text. If it does not, the failure contains what it shows. */
async function assertShows(
  t: ExecutionContext,
  tab: WatchedPage,
  expected: RegExp,
  what: string,
): Promise<void> {
  let last = '';
  const found = await until(async () => {
    last = await shown(tab).catch(() => last);
    return expected.test(last);
  }).catch(() => false);
  t.true(found, `${what}: expected ${expected}, shown is ${last}`);
}

/** No error page of the browser, and no page of ours about an internal error. */
async function assertIsPage(t: ExecutionContext, tab: WatchedPage, what: string): Promise<void> {
  const text = await shown(tab);
  t.notRegex(text, /^chrome-error:|ERR_CACHE_MISS|Something went wrong on our side|just been taken/, what);
}

/** Submits the form in a tab, if the tab still shows it. */
async function sendAgain(tab: WatchedPage, button: string): Promise<boolean> {
  const shows = await tab.locator(button).first().isVisible();
  if (shows) await tab.locator(button).first().click();
  return shows;
}

for (const [title, prepare] of Object.entries(FORMS)) {
  test(`${title}: Back, Reload and a second submission afterwards repeat nothing unintended`, async (t) => {
    const { page, open, button, done, already = done, effects, reloadRepeats } = await prepare();
    await open(page);
    await page.locator(button).first().click();
    await assertShows(t, page, done, 'sent');
    if (!reloadRepeats) {
      await page.reload();
      await assertShows(t, page, already, 'reloaded');
      t.is(await effects(), 1, 'reloaded');
    }
    await page.goBack();
    await assertIsPage(t, page, 'Back');
    await page.reload();
    await assertIsPage(t, page, 'Back, then Reload');
    if (!reloadRepeats && (await sendAgain(page, button))) await assertShows(t, page, already, 'sent again');
    await assertIsPage(t, page, 'at the end');
    t.is(await effects(), 1);
    t.deepEqual(page.complaints, []);
    await page.context().close();
  });

  test(`${title}: a double click, and the same form in a second tab, repeat nothing unintended`, async (t) => {
    const { page, open, button, done, already = done, effects, reloadRepeats } = await prepare();
    const tab = await nextPage(page);
    await open(page);
    await open(tab);
    await page.locator(button).first().dblclick();
    await assertShows(t, page, done, 'double click');
    t.is(await effects(), 1, 'double click');
    await tab.locator(button).first().click();
    await assertShows(t, tab, already, 'second tab');
    await assertIsPage(t, tab, 'second tab');
    if (!reloadRepeats) t.is(await effects(), 1, 'second tab');
    await page.context().close();
  });
}

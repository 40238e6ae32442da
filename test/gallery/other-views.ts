import { createHash } from 'node:crypto';
import { insertMember } from '../../commands/members/members.js';
import { HOUR_MS } from '../../domain/durations.js';
import type { Message } from '../../dev/mailbox/messages.js';
import { checkoutSessionId, freeHour } from '../support/bookings.js';
import { createMember } from '../support/member-calls.js';
import { mailTo } from '../support/simulators.js';
import { db, dev } from '../support/stack.js';
import { until } from '../support/until.js';
import { uniqueEmail } from '../support/workspaces.js';
import type { Places } from './places.js';
import type { PageRoute } from './routes.js';
import { sendWrongly, type View } from './view.js';
import type { Visitors } from './visitors.js';
import { UNBROKEN } from './words.js';

const PATIENCE_MS = 120_000;

type State = Omit<View, 'page' | 'state'>;
type States = Record<string, State>;

const asNobody = (address: string, more: Partial<State> = {}): State => ({
  visitor: 'nobody',
  address,
  ...more,
});
const inGerman = (address: string, more: Partial<State> = {}): State => ({
  visitor: 'german',
  address,
  ...more,
});

/** The link in a mail to an address whose path begins this way. */
async function mailedLink(email: string, path: string): Promise<string> {
  const find = (messages: Message[]): string | undefined =>
    messages.flatMap(({ links }) => links).find((link) => link.includes(path));
  return (await until(async () => find(await mailTo(email)), PATIENCE_MS)) as string;
}

async function bookingPageViews({ empty, many }: Places): Promise<Record<string, States>> {
  const { rooms } = many.filled;
  const book = `/book/${many.ids.book}`;
  const room = `${book}/rooms/${rooms[0]!.id}`;
  const times = freeHour(20);
  const details = `${room}/details?${new URLSearchParams({
    start: times.start_at,
    minutes: '60',
    key: '5f0c1d6a-3b1e-4f0e-9a7e-1f4b8c2d7e90',
  })}`;
  const taken = `${book}/rooms/${many.filled.bookings.confirmed.room_id}/details?${new URLSearchParams({
    start: many.filled.bookings.confirmed.start_at,
    minutes: '60',
    key: '5f0c1d6a-3b1e-4f0e-9a7e-1f4b8c2d7e91',
  })}`;
  await empty.workspace.api.put('/v1/booking-page', { slug: `empty-${empty.workspace.id.slice(-12)}` });
  return {
    '/book/:slug': {
      'no rooms': asNobody(`/book/empty-${empty.workspace.id.slice(-12)}`),
      many: asNobody(book),
      german: inGerman(book),
      'too many people': inGerman(`${book}?attendees=1000`),
      unknown: asNobody('/book/no-such-page', { status: 404 }),
    },
    '/book/:slug/rooms/:room': {
      times: asNobody(room),
      german: inGerman(room),
      'a long name': inGerman(`${book}/rooms/${rooms[2]!.id}`),
      'from right to left': inGerman(`${book}/rooms/${rooms[4]!.id}`),
    },
    '/book/:slug/rooms/:room/details': {
      one: asNobody(details),
      german: inGerman(details),
      'form rejected': inGerman(details, { prepare: sendWrongly }),
      taken: inGerman(taken, { status: 409 }),
    },
    '/book/:slug/terms/:version': {
      text: inGerman(`${book}/terms/2026-05`),
      unknown: asNobody(`${book}/terms/none`, { status: 404 }),
    },
  };
}

/** The link that confirms a free booking of a public guest. */
async function bookFree({ one: { ids } }: Places, { contexts }: Visitors): Promise<string> {
  const email = uniqueEmail();
  const page = await contexts.german.newPage();
  await page.goto(`${dev.baseUrl}/book/${ids.book}/rooms/${ids.rooms}`);
  await page.goto(
    await page
      .locator('a[href*="/details?"]')
      .last()
      .evaluate((link: HTMLAnchorElement) => link.href),
  );
  await page.fill('#name', UNBROKEN);
  await page.fill('#email', email);
  await page.press('#email', 'Enter');
  const link = await mailedLink(email, '/confirm/');
  await page.close();
  return link;
}

async function payerViews(places: Places, visitors: Visitors): Promise<Record<string, States>> {
  const { workspace, filled } = places.many;
  const { api } = workspace;
  const { confirmed, held, cancelled } = filled.bookings;
  const [checkout] = await db.query(`SELECT id FROM checkouts WHERE booking_id = $1`, [held.id]);
  const company = places.many.ids.companies;
  await api.post(`/v1/companies/${company}/card-setup`);
  const [setup] = await db.query(`SELECT id FROM card_setups WHERE company_id = $1`, [company]);
  const pay = filled.invoices;
  return {
    '/manage/:token': {
      confirmed: asNobody(confirmed.manage_url!),
      held: asNobody(held.manage_url!),
      cancelled: asNobody(cancelled.manage_url!),
      german: inGerman(`${confirmed.manage_url}?lang=de`),
      'unknown link': asNobody('/manage/none', { status: 404 }),
    },
    '/manage/:token/cancel': { one: asNobody(`${confirmed.manage_url}/cancel`) },
    '/manage/:token/move': {
      one: asNobody(`${confirmed.manage_url}/move`),
      'a time': asNobody(
        `${confirmed.manage_url}/move?${new URLSearchParams({
          minutes: '60',
          start: new Date(Date.parse(confirmed.start_at) + 24 * HOUR_MS).toISOString(),
        })}`,
      ),
    },
    '/manage/:token/extras': { many: asNobody(`${confirmed.manage_url}/extras`) },
    '/pay/:token': {
      open: asNobody(pay.open.pay_url!),
      overdue: asNobody(pay.overdue.pay_url!),
      partly: asNobody(pay.partly.pay_url!),
      german: inGerman(pay.large.pay_url!),
      'unknown link': asNobody('/pay/none', { status: 404 }),
    },
    '/checkout/success': {
      paid: asNobody(`/checkout/success?session_id=${checkoutSessionId(held)}`),
      unknown: asNobody('/checkout/success?session_id=cs_none', { status: 404 }),
    },
    '/checkout/left': {
      held: asNobody(`/checkout/left?checkout_id=${checkout.id}`),
      unknown: asNobody('/checkout/left?checkout_id=none', { status: 404 }),
    },
    '/checkout/card': {
      one: asNobody(`/checkout/card?setup_id=${setup.id}`),
      unknown: asNobody('/checkout/card?setup_id=none', { status: 404 }),
    },
    '/confirm/:token': {
      one: inGerman(await bookFree(places, visitors)),
      'unknown link': asNobody('/confirm/none', { status: 404 }),
    },
  };
}

async function signInViews({ one, many }: Places, visitors: Visitors): Promise<Record<string, States>> {
  const invited = await createMember(many.workspace.api, { name: UNBROKEN, send_invite: true });
  await insertMember(db.manager, {
    workspace_id: one.workspace.id,
    email: visitors.memberEmail,
    name: 'Mel',
    role: 'member',
    tier: 'basic',
  });
  const link = uniqueEmail();
  await createMember(many.workspace.api, { email: link, send_invite: false });
  await fetch(`${dev.baseUrl}/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: dev.baseUrl },
    body: new URLSearchParams({ email: link }),
  });
  const owner: State['visitor'] = 'owner of many';
  return {
    '/dashboard': { many: { visitor: 'member of many', address: '/dashboard' } },
    '/sign-in': {
      one: asNobody('/sign-in'),
      'form rejected': asNobody('/sign-in', { prepare: sendWrongly }),
    },
    '/sign-in/link': {
      one: asNobody(await mailedLink(link, '/sign-in/link')),
      // In a browser without the cookie of the other view.
      'no token': { ...inGerman('/sign-in/link'), status: 410 },
    },
    '/sign-in/workspace': { one: asNobody('/sign-in/workspace') },
    '/sign-in/:name': {
      one: asNobody(`/sign-in/${visitors.ssoName}`),
      unknown: asNobody('/sign-in/no-such-name', { status: 404 }),
    },
    '/sign-in/code': {
      one: { visitor: 'person before a code', address: '/sign-in/code' },
      'form rejected': { visitor: 'person before a code', address: '/sign-in/code', prepare: sendWrongly },
    },
    '/sign-in/authenticator': {
      one: { visitor: 'person without a factor', address: '/sign-in/authenticator' },
    },
    '/account': { many: { visitor: owner, address: '/account' } },
    '/account/passkeys/new': { one: { visitor: owner, address: '/account/passkeys/new' } },
    '/account/memberships/:workspace': {
      one: { visitor: 'member of many', address: `/account/memberships/${one.workspace.id}` },
      unknown: { visitor: owner, address: `/account/memberships/${one.workspace.id}`, status: 404 },
    },
    '/account/email/:token': {
      one: { visitor: 'member of many', address: visitors.addressLink },
      'unknown link': { visitor: owner, address: '/account/email/none', status: 410 },
    },
    '/invite/:token': {
      one: asNobody(await mailedLink(invited.email, '/invite/')),
      'unknown link': asNobody('/invite/none', { status: 410 }),
    },
    '/sso/proof': { one: { visitor: 'person from a provider', address: '/sso/proof' } },
    '/sso/second-factor': {
      one: { visitor: 'admin from a provider', address: '/sso/second-factor', status: 403 },
    },
    '/sso/:workspace/callback': {
      'no login': asNobody(`/sso/${one.workspace.id}/callback`, { status: 404 }),
    },
    '/sso/:workspace/acs': { 'no login': asNobody(`/sso/${one.workspace.id}/acs`, { status: 404 }) },
  };
}

async function consentViews({ many: { workspace } }: Places): Promise<Record<string, States>> {
  const redirect_uri = 'https://display.example.com/callback';
  const { body: app } = await workspace.api.post('/v1/oauth-clients', {
    name: UNBROKEN,
    redirect_uris: [redirect_uri],
    public: true,
  });
  const query = new URLSearchParams({
    client_id: app.client_id,
    redirect_uri,
    scope: 'calendar:read calendar:write billing:read members:read workspace:read',
    state: 'gallery',
    code_challenge: createHash('sha256').update('gallery').digest('base64url'),
  });
  const owner: State['visitor'] = 'owner of many';
  return {
    '/oauth/consent/:uid': {
      one: { visitor: owner, address: `/oauth/authorize?${query}` },
      unknown: { visitor: owner, address: '/oauth/consent/none', status: 400 },
    },
    '/accounting/callback': {
      'no consent': { visitor: owner, address: '/accounting/callback', status: 404 },
    },
    '/onboarding/done': { one: asNobody(`/onboarding/done?workspace_id=${workspace.id}`) },
    '/onboarding/again': { one: asNobody('/onboarding/again') },
    '/docs': { one: asNobody('/docs') },
  };
}

/** Addresses that no route has. */
const UNKNOWN: States = {
  page: asNobody('/no/such/page', { status: 404 }),
  booking: { visitor: 'owner of many', address: '/dashboard/ws_none/bookings', status: 404 },
};

/** The views of pages outside of the dashboard. Errors: a page without a view, a view without a page. */
export async function otherViews(
  routes: readonly PageRoute[],
  places: Places,
  visitors: Visitors,
): Promise<View[]> {
  const pages: Record<string, States> = {
    ...(await bookingPageViews(places)),
    ...(await payerViews(places, visitors)),
    ...(await signInViews(places, visitors)),
    ...(await consentViews(places)),
  };
  const missing = routes.filter(({ path }) => !(path in pages)).map(({ path }) => path);
  const gone = Object.keys(pages).filter((path) => !routes.some((route) => route.path === path));
  if (missing.length > 0)
    throw new Error(`not in other-views.ts of the gallery: GET ${missing.join(', GET ')}`);
  if (gone.length > 0) throw new Error(`these pages of other-views.ts do not exist: ${gone.join(', ')}`);
  return Object.entries({ ...pages, 'unknown addresses': UNKNOWN }).flatMap(([page, states]) =>
    Object.entries(states).map(([state, view]) => ({ page, state, ...view })),
  );
}

import { randomBytes, randomUUID } from 'node:crypto';
import Stripe from 'stripe';
import { newId } from '../../db/ids.js';
import { DAY_MS, HOUR_MS } from '../../domain/durations.js';
import { MAX_PICTURE_BYTES } from '../../domain/rooms/picture.js';
import { bookingBody, freeHour } from '../support/bookings.js';
import { openLink } from '../support/links.js';
import { newPng } from '../support/png.js';
import { REQUIRED_SETTINGS } from '../support/settings.js';
import { dev } from '../support/stack.js';
import { PREPARED } from './example-requests.js';
import { FULL_DAY } from './full-workspace-copies.js';
import type { FullWorkspace } from './full-workspace.js';
import type { ObjectIds } from '../support/objects.js';

const after = (ms: number): string => new Date(FULL_DAY.getTime() + ms).toISOString();
const day = FULL_DAY.toISOString().slice(0, 10);

const rate = (n: number) => ({
  name: 'é'.repeat(100),
  from: `${String(n % 23).padStart(2, '0')}:00`,
  to: '23:59',
  amount_minor: n,
});

/** For the booking page that the tests create. */
const SLUG = `full-${randomBytes(6).toString('hex')}`;

type Body = Record<string, unknown>;

/** The same picture each time: a room has at most ten. */
const LARGEST_PICTURE = newPng(MAX_PICTURE_BYTES - newPng(0).length);

/**
 * Input that is worse than the example with the largest page and the longest texts, for operations of the
 * API.
 */
export const WORST_REQUESTS: Record<
  string,
  (ids: ObjectIds, example: Body) => { query?: Record<string, string>; body?: Body | Buffer }
> = {
  'GET /v1/availability': () => ({ query: { from: after(0), to: after(31 * DAY_MS) } }),
  'GET /v1/calendar.ics': () => ({ query: { from: after(0), to: after(10 * HOUR_MS) } }),
  // A run does its work.
  'GET /v1/reconciliation': () => ({ query: { from: after(400 * DAY_MS), to: after(430 * DAY_MS) } }),
  'GET /v1/reports/usage': () => ({ query: { from: after(-366 * DAY_MS), to: after(-DAY_MS) } }),
  'POST /v1/bookings': ({ room }) => ({
    body: bookingBody(room!, { ...freeHour(100), notes: 'é'.repeat(5_000) }),
  }),
  // The others would take as many transactions.
  'POST /v1/members.bulk': () => ({
    body: {
      operations: Array.from({ length: 1_000 }, () => ({
        op: 'update',
        id: newId('mem'),
        name: 'é'.repeat(200),
      })),
    },
  }),
  // An address belongs to one page, and other tests have one with the example's address.
  'PUT /v1/booking-page': (_, example) => ({
    body: { ...example, slug: SLUG, room_ids: null },
  }),
  'POST /v1/rooms/:id/pictures': () => ({ body: LARGEST_PICTURE }),
  'PUT /v1/booking-page/terms': () => ({ body: Buffer.alloc(MAX_PICTURE_BYTES, '%PDF-1.7\n') }),
  'PUT /v1/workspace/logo': () => ({ body: LARGEST_PICTURE }),
  'PUT /v1/rooms/:id/rates': () => ({
    body: { rates: Array.from({ length: 100 }, (_, n) => rate(n)) },
  }),
};

/** The worst queries of pages, by their path below the workspace's. */
export const PAGE_QUERIES: Record<string, string[]> = {
  '/calendar': ['', `?day=${day}&all=yes`],
  '/search': [
    '?q=guest',
    '?q=member',
    '?q=company',
    `?q=${Array.from({ length: 10 }, (_, n) => `é${'é'.repeat(n % 8)}`).join('+')}`,
  ],
  '/bookings': ['', '?q=guest&from=2000-01-01&to=2099-01-01'],
  '/members': ['', '?q=member'],
  '/companies': ['', '?q=company'],
  '/guests': ['', '?q=guest'],
  '/invoices': ['', '?q=member', '?status=open'],
  '/payments': ['', '?q=member'],
};

/** A text that takes six times its length on a page, almost as long as a form may be. */
export const QUOTES = '"'.repeat(255_000);

/** The details on a booking page with it, for a bookable time. */
const DETAILS = new URLSearchParams({
  slot: `${new Date(Date.now() + DAY_MS).toISOString()}|3000`,
  minutes: '60',
  key: randomUUID(),
  email: 'ada@example.com',
});

/** Parameters without a meaning, up to the maximum of a body. */
const NONSENSE = Array.from({ length: 60_000 }, (_, n) => `field${n}=é`)
  .join('&')
  .slice(0, 230_000);

const WEBHOOK = {
  object: 'event',
  type: 'charge.succeeded',
  account: 'acct_unknown',
  livemode: false,
  created: 1_900_000_000,
  data: {
    object: { id: 'ch_1', object: 'charge', lines: Array.from({ length: 50_000 }, () => ({ a: 'é' })) },
  },
};

/** Values for the parameters in paths of links and of the booking page. */
export async function createLinks({
  workspace,
  ids,
  session,
  home,
}: FullWorkspace): Promise<Record<string, string>> {
  const { api } = workspace;
  const last = (url: string | null | undefined): string => url?.split('/').at(-1) ?? 'none';
  const { manage_token } = await PREPARED['GET /v1/public/bookings/:token']!(workspace, ids);
  const [invoice] = (await api.get('/v1/invoices?status=open')).body.data;
  await session.submit(`${home}/membership`, `${home}/membership/calendar-address`);
  const [, feed] = /\/feeds\/([^"]+)\.ics/.exec(await session.getText(`${home}/membership`)) ?? [];
  return {
    '/manage/:token': `/manage/${manage_token}`,
    '/pay/:token': `/pay/${last(invoice?.pay_url)}`,
    '/feeds/:token': `/feeds/${feed ?? 'none'}`,
    '/book/:slug': `/book/${SLUG}`,
    '/rooms/:room': `/rooms/${ids.room}`,
  };
}

/**
 * How to call a route that is neither an operation of the API nor a dashboard page: with the biggest body, if
 * it takes one.
 */
export function otherRequests(
  { api, session }: FullWorkspace,
  links: Record<string, string>,
): (route: string) => Promise<Response> {
  return (route) => {
    const [method, path] = route.split(' ') as [string, string];
    const linked = Object.entries(links).reduce((all, [of, to]) => all.replace(of, to), path);
    const url = api.baseUrl + linked.replace(/:\w+/g, 'none');
    if (method === 'GET') return /^\/(account|dashboard)/.test(path) ? session.get(path) : openLink(url);
    if (route !== 'POST /webhooks/processor')
      return fetch(url, {
        method,
        redirect: 'manual',
        body:
          method === 'POST'
            ? path.endsWith('/details')
              ? `${DETAILS}&name=${QUOTES}`
              : NONSENSE
            : undefined,
        headers: { 'content-type': 'application/x-www-form-urlencoded', origin: dev.baseUrl },
      });
    const body = JSON.stringify({ id: `evt_${randomBytes(12).toString('hex')}`, ...WEBHOOK });
    const secret = REQUIRED_SETTINGS.STRIPE_CONNECT_WEBHOOK_SECRET;
    const signature = Stripe.webhooks.generateTestHeaderString({ payload: body, secret });
    const headers = { 'content-type': 'application/json', 'stripe-signature': signature };
    return fetch(url, { method, body, headers });
  };
}

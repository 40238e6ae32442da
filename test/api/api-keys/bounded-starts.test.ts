import { randomBytes } from 'node:crypto';
import test from 'ava';
import { HOUR_MS } from '../../../domain/durations.js';
import { IN_A_YEAR } from '../../support/days.js';
import { storeMails } from '../../support/rows.js';
import { hashSecret, newSecret } from '../../../db/secrets.js';
import { insertSession } from '../../../commands/sign-in/sessions.js';
import {
  findUsableLink,
  insertSignInLink,
  LINK_MINUTES,
  useSignInLink,
} from '../../../commands/sign-in/links.js';
import { ApiError } from '../../../domain/errors.js';
import { scaledMailQuotas } from '../../../domain/api-keys/limits.js';
import { startApi } from '../../support/api-process.js';
import { once } from '../../support/once.js';
import { client } from '../../support/api-client.js';
import type { ApiResponse } from '../../support/api-response.js';
import { bookingBody, checkoutSessionId } from '../../support/bookings.js';
import { processorLedger } from '../../support/simulators.js';
import { db } from '../../support/stack.js';
import { newRoom, newWorkspace, uniqueEmail } from '../../support/workspaces.js';
import { isError } from '../../support/booking-calls.js';
import { createMember } from '../../support/member-calls.js';
import type { ExecutionContext } from 'ava';
import { message } from '../../support/message.js';

// A tenth of every limit: 12 pages and 2 forms per person, 6 open pages per address, one query of the
// processor in 30 s, one mail of a kind to an address in 100 min, one sign-in link in 10 min, 200 mails a
// day.
const strict = once(() => startApi({ RATE_LIMIT_SCALE: '0.1', TRUSTED_PROXIES: '1' }));

const anyAddress = (): string => `100.66.${randomBytes(1)[0]}.${randomBytes(1)[0]}`;

/** Opens a page or submits a form on the process with low limits. */
async function open(path: string, headers: Record<string, string> = {}, form?: Record<string, string>) {
  const { baseUrl } = await strict();
  return fetch(baseUrl + path, {
    method: form ? 'POST' : 'GET',
    body: form && new URLSearchParams(form),
    headers: { origin: baseUrl, 'x-forwarded-for': anyAddress(), ...headers },
    redirect: 'manual',
  });
}

/** The cookie of a new session of a workspace's owner. */
async function sessionCookie({ ownerId }: { ownerId: string }): Promise<{ cookie: string }> {
  const verify = `UPDATE profiles SET verified_at = now() FROM members m
    WHERE m.profile_id = profiles.id AND m.id = $1
    RETURNING profiles.id`;
  const [[{ id: profile_id }]] = await db.query(verify, [ownerId]);
  const token = await insertSession(db.manager, {
    profile_id,
    return_to: '/dashboard',
    device: 'Chrome on Linux',
  });
  return { cookie: `holdfast=${token}` };
}

interface Assertions {
  true(value: boolean, message?: string): unknown;
}

/** Requires a 429 that says when to try again. */
function isTooMany(t: Assertions, response: Response | undefined, what: string) {
  t.true(response?.status === 429, `${what}: ${response?.status}`);
  t.true(Number(response?.headers.get('retry-after')) > 0, what);
}

/**
 * Sends a request 15 times concurrently, more than a bucket holds and regains in the meantime, and requires
 * that one gets 429.
 */
async function isBounded(t: Assertions, send: () => Promise<Response>, what: string): Promise<void> {
  const responses = await Promise.all(Array.from({ length: 15 }, send));
  isTooMany(t, responses.find(({ status }) => status === 429) ?? responses[0], what);
}

test('a signed-in person has one bucket over all pages and sessions, and a smaller one for forms', async (t) => {
  const workspace = await newWorkspace();
  const sessions = await Promise.all([1, 2, 3].map(() => sessionCookie(workspace)));
  const paths = ['/account', '/dashboard', '/sign-in/authenticator', '/sign-in'];
  t.not((await open('/sign-in/code', sessions[0], {})).status, 429);
  await isBounded(t, () => open('/sign-in/code', sessions[1], {}), 'forms');
  for (const path of paths) t.not((await open(path, sessions[0])).status, 429, path);
  await isBounded(t, () => open('/account', sessions[1]), 'more pages');
  for (const path of paths) await isBounded(t, () => open(path, sessions[2]), path);
  t.not((await open('/account', await sessionCookie(await newWorkspace()))).status, 429, 'another person');
});

test('open pages and unknown links of payers count against the address', async (t) => {
  const from = { 'x-forwarded-for': anyAddress(), accept: 'text/html' };
  for (const path of ['/docs', '/invite/none']) t.not((await open(path, from)).status, 429, path);
  for (const path of [
    '/docs',
    '/onboarding/done',
    '/invite/none',
    '/onboarding/again',
    '/accounting/callback',
    '/checkout/left?checkout_id=chk_none',
    '/checkout/success?session_id=cs_none',
    '/pay/none',
    '/manage/none',
    '/checkout/card?setup_id=cset_none',
    '/',
  ])
    await isBounded(t, () => open(path, from), path);
});

test('the success page of an unpaid checkout checks with the processor once per period', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const booking = (await api.post('/v1/bookings', bookingBody((await newRoom(api)).id))).body;
  const invoice = (await api.get(`/v1/invoices?booking_id=${booking.id}`)).body.data[0];
  t.truthy(invoice);
  const session = checkoutSessionId(booking);
  const looks = async (): Promise<number> =>
    (await processorLedger(workspace)).requests.filter(
      ({ method, path }) => method === 'GET' && path.includes(session),
    ).length;
  const before = await looks();
  const pages = await Promise.all([1, 2, 3, 4, 5].map(() => open(`/checkout/success?session_id=${session}`)));
  for (const page of pages) t.true((await page.text()).includes(message('payer.confirming')));
  t.is((await looks()) - before, 1);
});

const waits = (t: ExecutionContext, response: ApiResponse, what: string): void => {
  isError(t, response, 429, 'rate_limited', what);
  t.true(response.body.error.retry_after_ms! > 60_000, what);
  t.regex(response.body.error.message, /Try again at \d{4}-.*Z\.$/);
};

test('an address gets one invite from a workspace per period, however it is requested', async (t) => {
  const { api: main } = await newWorkspace();
  const api = client(main.token, (await strict()).baseUrl);
  const [email, other] = [uniqueEmail(), uniqueEmail()];
  const member = await createMember(api, { email, send_invite: true });
  const path = `/v1/members/${member.id}` as const;
  waits(t, await api.post(`${path}/resend-invite`), 'the create has sent one');
  t.is((await api.patch(path, { email: other })).status, 200, 'another address');
  waits(t, await api.patch(path, { email: email.toUpperCase() }), 'the first address');
  t.is((await api.get(path)).body.email, other, 'a refused change is undone');
  const operations = [
    { op: 'update', id: member.id, email },
    { op: 'create', email: uniqueEmail(), send_invite: true },
  ];
  const { results } = (await api.post('/v1/members.bulk', { operations })).body;
  t.is(results[0]!.error!.code, 'rate_limited');
  t.is(results[1]!.status, 'ok');
});

test('an invoice is sent to one address once per period, and so is another invoice', async (t) => {
  const { api: main } = await newWorkspace();
  const api = client(main.token, (await strict()).baseUrl);
  const member = await createMember(main);
  const lines = [{ description: 'Desk', quantity: 1, unit_amount_minor: 100, tax_code: 'ZERO' }];
  const bill = { member_id: member.id, currency: 'GBP', due_at: IN_A_YEAR, lines };
  const [first, second] = [await main.post('/v1/invoices', bill), await main.post('/v1/invoices', bill)];
  for (const { body } of [first, second]) {
    const response = await api.post(`/v1/invoices/${body.id}/send`);
    waits(t, response, 'it has been mailed because it was created');
    t.regex(response.body.error.message, /was emailed a short time ago, when it was created/);
  }
  const ids = [first.body.id, second.body.id];
  await db.query(`UPDATE mails SET created_at = now() - interval '2 hours' WHERE invoice_id = ANY ($1)`, [
    ids,
  ]);
  t.is((await api.post(`/v1/invoices/${first.body.id}/send`)).status, 200, 'later');
  waits(t, await api.post(`/v1/invoices/${first.body.id}/send`), 'the same invoice');
  t.is((await api.post(`/v1/invoices/${second.body.id}/send`)).status, 200, 'another invoice');
});

test('a workspace requests no more mail than its daily quota', async (t) => {
  const { api: main, id } = await newWorkspace();
  const api = client(main.token, (await strict()).baseUrl);
  const created_at = new Date(Date.now() - HOUR_MS);
  // In addition to the mail to the new owner.
  await storeMails(
    db,
    Array.from({ length: 198 }, (_, n) => ({ workspace_id: id, about: `${id}${n}`, created_at })),
  );
  await createMember(api, { send_invite: true });
  waits(t, await api.post('/v1/members', { email: uniqueEmail(), send_invite: true }), 'the 201st');
  t.is((await api.post('/v1/members', { email: uniqueEmail(), send_invite: false })).status, 201);
});

test('an address gets one sign-in link in the period, whether it has an account or not', async (t) => {
  const owner_email = uniqueEmail();
  await newWorkspace({ owner_email });
  for (const email of [owner_email, uniqueEmail()]) {
    t.is((await open('/sign-in', {}, { email })).status, 200);
    const again = await open('/sign-in', {}, { email: email.toUpperCase() });
    isTooMany(t, again, email);
    t.true(Number(again.headers.get('retry-after')) > 500);
    const stored = await db.query(`SELECT FROM sign_in_links WHERE email = $1`, [email]);
    t.is(stored.length, 1);
  }
});

test('requesting all sign-in links of a person does not keep them out', async (t) => {
  const email = uniqueEmail();
  await newWorkspace({ owner_email: email });
  const tokens: string[] = [];
  const request = () =>
    db.transaction(async (tx) => {
      const token = newSecret();
      const link = {
        email,
        token_hash: hashSecret(token),
        return_to: '/',
        encrypt: () => Buffer.from('none'),
      };
      await insertSignInLink(tx, scaledMailQuotas(1), link);
      tokens.push(token);
    });
  for (let turn = 0; turn < 5; turn++) {
    await request();
    await db.query(
      `UPDATE sign_in_links SET created_at = created_at - interval '1 minute' WHERE email = $1`,
      [email],
    );
  }
  const refused = await t.throwsAsync(request, { instanceOf: ApiError, message: /check its mailbox/ });
  t.true(
    refused!.context.retry_after_ms! < LINK_MINUTES * 60_000,
    'the next one before the last one expires',
  );
  const works = async (token: string): Promise<boolean> =>
    (await findUsableLink(db.manager, hashSecret(token))) !== null;
  t.true(await works(tokens[0]!));
  t.true((await useSignInLink(db.manager, hashSecret(tokens[1]!))) !== null);
  for (const token of tokens) t.false(await works(token));
});

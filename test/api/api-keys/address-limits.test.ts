import { randomBytes } from 'node:crypto';
import test from 'ava';
import { client } from '../../support/api-client.js';
import { confirmedBooking } from '../../support/bookings.js';
import { db } from '../../support/stack.js';
import { newWorkspace } from '../../support/workspaces.js';
import { isError } from '../../support/booking-calls.js';
import { addresses, anyAddress, readLimit, on } from '../../support/limit-calls.js';
import { message } from '../../support/message.js';

/** How much of a bucket may have been refilled since this call: one token every 10 s. */
function refills(): () => number {
  const began = Date.now();
  return () => Math.ceil((Date.now() - began) / 10_000);
}

test('requests without a valid token share a bucket per address, whatever X-Forwarded-For the client sends', async (t) => {
  const { here, there } = await addresses();
  const from = (base: string, address: string, token = 'none') =>
    client(token, base).get('/v1/workspace', undefined, { 'x-forwarded-for': address });
  const address = anyAddress();
  const refilled = refills();
  for (let n = 5; n >= 0; n--) {
    const response = await from(n % 2 ? here : there, `${anyAddress()}, ${address}`);
    isError(t, response, 401, 'auth_invalid');
    const [size, left] = readLimit(response);
    t.true(size === 6 && left! >= n && left! <= n + refilled(), `${left}`);
  }
  for (let n = 0; (await from(here, `${anyAddress()}, ${address}`)).status !== 429; n++)
    t.true(n <= refilled(), `${n}`);
  isError(t, await from(here, `::ffff:${address}`), 429, 'rate_limited');
  isError(t, await from(there, `${address}:4711`), 429, 'rate_limited', 'from another port');
  isError(t, await from(here, anyAddress()), 401, 'auth_invalid');
  const { api } = await newWorkspace();
  t.is((await from(here, address, api.token)).status, 200, 'a valid token has its own bucket');
  const network = `2001:db8:${randomBytes(2).toString('hex')}:1`;
  t.deepEqual(readLimit(await from(here, `${network}::1`)), [6, 5]);
  t.deepEqual(readLimit(await from(here, `${network}:ffff::2`)), [6, 4], 'an IPv6 /64 shares one bucket');
  t.is((await from(here, 'nonsense')).status < 500, true);
});

test('health and signed webhooks are exempt; unsigned ones, wrong internal tokens and unknown links are not', async (t) => {
  const { here, internalUrl } = await addresses();
  const address = anyAddress();
  const send = (method: 'get' | 'post', path: string) =>
    client('none', here)[method](path, method === 'post' ? {} : undefined, { 'x-forwarded-for': address });
  for (let n = 0; n < 10; n++) {
    t.is((await client('none', here).get('/health')).status, 200);
    t.is((await client('none', here).get('/health/live')).status, 200);
  }
  t.deepEqual(readLimit(await send('post', '/webhooks/processor')), [6, 5]);
  t.deepEqual(readLimit(await send('post', '/internal/actions')), [6, 4]);
  t.deepEqual(readLimit(await send('get', '/nothing')), [6, 3]);
  t.deepEqual(readLimit(await send('get', '/checkout/success?session_id=cs_none')), [6, 2]);
  t.deepEqual(readLimit(await send('get', '/pay/none')), [6, 1]);
  t.deepEqual(readLimit(await send('get', '/manage/none')), [6, 0]);
  const refused = await send('get', '/checkout/left?checkout_id=none');
  t.is(refused.status, 429);
  t.true(String(refused.body).includes(`<h1>${message('payer.too_many_requests')}`), 'a page');
  t.is(readLimit(await client('none', internalUrl).post('/internal/actions', {}))[0], 6);
});

test('each payment link and checkout has its own bucket, and only requests that change something count against the address', async (t) => {
  const { here, there } = await addresses();
  const { api } = await newWorkspace();
  const address = anyAddress();
  const send = (method: 'get' | 'post', path: string, base = here, cookie = '') =>
    client('none', base)[method](path, undefined, { 'x-forwarded-for': address, cookie });
  const urlPath = (url: string | null | undefined): string => new URL(url!).pathname;
  const linkCookie = (url: string | null | undefined): string =>
    `holdfast_link=${urlPath(url).split('/').at(-1)}`;
  const linked = async () => {
    const { booking } = await confirmedBooking(api);
    const { body: read } = await on(here, api).get(`/v1/bookings/${booking.id}`);
    return { ...read, invoice: (await on(here, api).get(`/v1/invoices/${read.invoice_id!}`)).body };
  };
  const booking = await linked();
  const [checkout] = await db.query('SELECT id, session_id FROM checkouts WHERE owner_id = $1', [booking.id]);
  const links = [
    [`/manage/${booking.id}`, linkCookie(booking.manage_url)],
    [`/pay/${booking.invoice.id}`, linkCookie(booking.invoice.pay_url)],
    [`/checkout/success?session_id=${checkout.session_id}`],
  ] as const;
  const refilled = refills();
  for (const [link, cookie] of links) {
    for (let n = 0; n < 6; n++) {
      const shown = await send('get', link, n % 2 ? here : there, cookie);
      t.deepEqual([shown.status, readLimit(shown)[0]], [200, 6], link);
      t.true(readLimit(shown)[1]! >= 5 - n, 'what is left of its own bucket');
    }
    let asked = 0;
    let shown = await send('get', link, here, cookie);
    while (shown.status === 200 && ++asked <= refilled()) shown = await send('get', link, here, cookie);
    const { status, headers } = shown;
    t.is(status, 429, link);
    t.true(Number(headers.get('retry-after')) <= 10, link);
  }

  const other = await linked();
  const { pay_url } = other.invoice;
  t.is((await send('get', `${urlPath(pay_url)}/pdf`)).status, 200);
  t.is((await send('get', `${urlPath(pay_url)}/pdf`)).status, 429, 'a PDF costs more than a page');
  t.is((await send('get', urlPath(pay_url))).status, 303, 'the page without the token');
  const paid = await send('post', urlPath(pay_url));
  t.deepEqual([paid.status, ...readLimit(paid)], [303, 6, 5]);
  const cancelled = await send('post', `${urlPath(other.manage_url)}/cancel`);
  t.deepEqual(readLimit(cancelled), [6, 4]);
});

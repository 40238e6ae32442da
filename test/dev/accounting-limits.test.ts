import ava from 'ava';
import { type Books, invoice, newKey, refused, Rig } from '../support/accounting-rig.js';
import { until } from '../support/until.js';

// Faults apply to the whole simulator, so the tests run one at a time.
const test = ava.serial;

let rig: Rig;

ava.before(async () => {
  rig = await Rig.start();
});

ava.after.always(() => rig.close());

ava.afterEach.always(() => rig.sim('faults', {}));

test('calls are limited per minute, and Retry-After has the time to wait', async (t) => {
  const { api, tenant } = await rig.books();
  const other = await rig.books();
  await rig.sim('faults', { minute_limit: 3, minute_seconds: 1 });
  const ask = () => api.getOrganisations(tenant);
  const remaining = [];
  for (let n = 0; n < 3; n++)
    remaining.push((await ask()).response.headers['x-minlimit-remaining'] as unknown);
  t.deepEqual(remaining, ['2', '1', '0']);
  const { status, headers } = await refused(ask());
  t.is(status, 429);
  t.like(headers, { 'retry-after': '1', 'x-rate-limit-problem': 'minute' });
  await t.notThrowsAsync(other.api.getOrganisations(other.tenant));
  const isAllowed = () =>
    ask().then(
      () => true,
      () => false,
    );
  await until(isAllowed);
});

test('a day is a fixed window of the organisation, and calls do not move its end', async (t) => {
  const one = await rig.books();
  const ask = ({ api, tenant }: Books) => api.getOrganisations(tenant);
  const limit = { day_limit: 0, day_seconds: 600 };
  await rig.sim('faults', limit);
  const wait = async (books: Books) => Number((await refused(ask(books))).headers['retry-after']);
  const first = await wait(one);
  t.true(first > 0 && first <= 600);
  // Two days can end in the same second.
  const others = [
    await wait(await rig.books()),
    await wait(await rig.books()),
    await wait(await rig.books()),
  ];
  t.true(new Set([first, ...others]).size > 1, 'each organisation has a day of its own');
  await rig.sim('faults', { day_limit: 1, day_seconds: 1 });
  const isAllowed = () =>
    ask(one).then(
      () => true,
      () => false,
    );
  // The limit of a day is reached, and the next day begins.
  await until(async () => (await isAllowed()) && !(await isAllowed()));
  await until(isAllowed);
});

test('an internal error is repeated under its key', async (t) => {
  const { api, tenant } = await rig.books();
  const [key, sent] = [newKey(), { invoices: [invoice()] }];
  const send = (under: string) => api.createInvoices(tenant, sent, true, undefined, under);
  await rig.sim('faults', { fail: [{ path: '/api.xro/2.0/Invoices', status: 500 }] });
  t.is((await refused(send(key))).status, 500);
  t.is((await refused(send(key))).status, 500);
  await t.notThrowsAsync(send(newKey()));
});

test('faults of one organisation do not affect others, and are replaced by faults for all', async (t) => {
  const [one, other] = [await rig.books(), await rig.books()];
  const ask = ({ api, tenant }: Books) => api.getOrganisations(tenant);
  const fail = [{ path: '/api.xro/2.0/Organisation', status: 503, times: 2 }];
  await rig.sim('faults', { tenant: one.tenant, fail, minute_limit: 3 });
  t.is((await refused(ask(one))).status, 503);
  await ask(other);
  t.is((await refused(ask(one))).status, 503);
  await ask(one);
  t.is((await refused(ask(one))).status, 429);
  for (let n = 0; n < 3; n++) await ask(other);

  await rig.sim('faults', { fail });
  await rig.sim('faults', { tenant: one.tenant, latency_ms: 1 });
  await ask(one);
  t.is((await refused(ask(other))).status, 503);
  await rig.sim('faults', { tenant: one.tenant });
  t.is((await refused(ask(one))).status, 503);
  await rig.sim('faults', { tenant: one.tenant, fail });
  await rig.sim('faults', {});
  await ask(one);
});

test('access tokens can be expired for one organisation or all', async (t) => {
  const [one, other] = [await rig.books(), await rig.books()];
  t.deepEqual(await rig.sim('tokens/expire', { tenant: one.tenant }), { expired: 1 });
  t.is((await refused(one.api.getOrganisations(one.tenant))).status, 401);
  await other.api.getOrganisations(other.tenant);
  await rig.sim('tokens/expire');
  t.is((await refused(other.api.getOrganisations(other.tenant))).status, 401);
});

test('calls are limited per day, and to five concurrent ones', async (t) => {
  const { api, tenant } = await rig.books();
  await rig.sim('faults', { day_limit: 1 });
  await api.getOrganisations(tenant);
  const { headers } = await refused(api.getOrganisations(tenant));
  t.is(headers['x-rate-limit-problem'], 'day');
  const seconds = Number(headers['retry-after']);
  t.true(seconds > 0 && seconds <= 86_400);
  await rig.sim('faults', { latency_ms: 1_500 });
  const at = await Promise.allSettled(Array.from({ length: 7 }, () => api.getOrganisations(tenant)));
  const late = at.flatMap((each) => (each.status === 'rejected' ? [JSON.parse(each.reason as string)] : []));
  t.is(late.length, 2);
  t.like(late[0].response, { statusCode: 429, headers: { 'x-rate-limit-problem': 'concurrent' } });
  t.is(late[0].response.headers['retry-after'], undefined);
});

import test from 'ava';
import { withScratchDatabase } from '../support/scratch-database.js';
import { bookingBody, createBooking, pay, untilStatus } from '../support/bookings.js';
import { simulator } from '../support/simulators.js';
import { dev } from '../support/stack.js';
import { until } from '../support/until.js';
import { newRoom } from '../support/workspaces.js';
import { CONTROL, startFaultProxy, type Intercepted } from '../support/fault-proxy.js';
import { sweep } from '../support/invariants.js';
import { openWorkspace } from '../support/own-workspace.js';
import { startOwnService } from '../support/own-service.js';

/** Another platform's valid key, and its account. */
const ELSEWHERE = { STRIPE_SECRET_KEY: 'sk_test_elsewhere', account: 'acct_elsewhereplatform' };

test("with another platform's key nothing final happens, and no worker starts with it", async (t) => {
  await withScratchDatabase(async (db, databaseUrl) => {
    const proxy = await startFaultProxy(dev.processorUrl!, 'stripe-account');
    t.teardown(proxy.close);
    const service = await startOwnService(databaseUrl, { STRIPE_API_URL: proxy.url, LOG_LEVEL: 'warn' });
    t.teardown(service.stop);
    const workspace = await openWorkspace(service);
    const { api, accountId } = workspace;
    await api.patch('/v1/workspace', { checkout_hold_seconds: 10 });
    await simulator('POST', '/_sim/faults', { account: accountId, drop_webhooks: ['all'] });
    const exchangeKey = (scope: string, faults: object[]) =>
      fetch(proxy.url + CONTROL, { method: 'POST', body: JSON.stringify({ scope, faults }) });
    const countOfOtherKey = async (scope: string) => {
      const met = await (await fetch(`${proxy.url}${CONTROL}?scope=${scope}`)).json();
      return (met as Intercepted[]).filter(({ path }) => scope || path === '/v1/account').length;
    };
    const OTHER = [{ fault: 'other_platform', path: '*' }];

    const unpaid = await createBooking(api, bookingBody((await newRoom(api)).id));
    const paid = await createBooking(api, bookingBody((await newRoom(api)).id));
    await pay(paid);
    await exchangeKey('', OTHER);
    await exchangeKey(accountId, OTHER);
    await until(async () => Date.now() > Date.parse(paid.expires_at!) + 4_000);
    for (const { id } of [unpaid, paid])
      t.is((await api.get(`/v1/bookings/${id}`)).body.status, 'pending_payment');
    // A process has one key: the check of the key that follows a refused call must still have the same.
    await exchangeKey(accountId, []);
    await until(async () => (await countOfOtherKey('')) >= (await countOfOtherKey(accountId)));
    await exchangeKey('', []);
    await untilStatus(api, paid.id, 'confirmed');
    await untilStatus(api, unpaid.id, 'expired');

    const { STRIPE_SECRET_KEY } = ELSEWHERE;
    await t.throwsAsync(() => service.startWorker(undefined, { STRIPE_SECRET_KEY }), {
      message:
        /STRIPE_SECRET_KEY belongs to acct_elsewhereplatform in test mode, the data to acct_holdfastplatform/,
    });
    await t.throwsAsync(
      () =>
        service.startWorker(undefined, { STRIPE_SECRET_KEY, STRIPE_PLATFORM_CHANGED_TO: 'acct_mistyped' }),
      { message: /STRIPE_PLATFORM_CHANGED_TO=acct_elsewhereplatform/ },
    );
    await sweep(t, workspace, db);

    const moved = { STRIPE_SECRET_KEY, STRIPE_PLATFORM_CHANGED_TO: ELSEWHERE.account };
    await t.notThrowsAsync(() => service.startWorker(undefined, moved));
    t.is((await db.query(`SELECT account_id FROM platform`))[0].account_id, ELSEWHERE.account);
  });
});

import { execFile, spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { HOUR_MS } from '../../../domain/durations.js';
import test from 'ava';
import { createStripeClient, createStripeProcessor } from '../../../activities/gateways/stripe.js';
import type { TierSwap } from '../../../activities/gateways/processor-tiers.js';
import { goInstall, hasGo, programCache } from '../../../dev/launcher/go-install.js';
import type { Run } from '../../../dev/launcher/part.js';
import { once } from '../../support/once.js';
import { until } from '../../support/until.js';

/**
 * Validates our gateway's requests against Stripe's published API with Stripe's own `stripe-mock`, which
 * refuses unknown parameters and wrong types. Its responses are fixed, so the test ignores what the gateway
 * returns for them.
 */
const MODULE = 'github.com/stripe/stripe-mock@v0.203.0';
const ACCOUNT = 'acct_1032D82eZvKYlo2C';

const run: Run = async ({ command, args, env }) => {
  await promisify(execFile)(command, args, { env });
};

function findMock(): string | null {
  if (spawnSync('stripe-mock', ['-version']).status === 0) return 'stripe-mock';
  const cached = join(programCache(), 'stripe-mock');
  return existsSync(cached) ? cached : null;
}

interface Sent {
  method: string;
  path: string;
  status: number;
}

const found = findMock();
/** Skipped without Go, which builds stripe-mock. The simulator still refuses what Stripe refuses. */
const testWithMock = found || hasGo() ? test : test.skip;

/** Starts stripe-mock. Returns its port. */
const start = once(async () => {
  const program = found ?? (await goInstall(run, MODULE, 'stripe-mock'));
  const mock = spawn(program, ['-http-addr', '127.0.0.1:0', '-https-addr', '127.0.0.1:0'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [mock.stdout!, mock.stderr!])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  process.once('exit', () => mock.kill());
  return Number(await until(async () => /HTTP at address: 127\.0\.0\.1:(\d+)/.exec(output)?.[1]));
});

/** Runs a call of the gateway. Returns the request that it sent and the response status. */
async function sentBy(
  work: (processor: ReturnType<typeof createStripeProcessor>) => Promise<unknown>,
): Promise<Sent[]> {
  const stripe = createStripeClient({
    secretKey: 'sk_test_123',
    apiUrl: `http://127.0.0.1:${await start()}`,
  });
  const sent: Sent[] = [];
  stripe.on('response', ({ method, path, status }: Sent) => sent.push({ method, path, status }));
  await work(createStripeProcessor(stripe, 'https://example.com', NO_SUFFIXES, async () => undefined)).catch(
    () => undefined,
  );
  return sent;
}

const NO_SUFFIXES = { find: () => Promise.resolve(2), advance: () => Promise.resolve() };

const soon = new Date(Date.now() + HOUR_MS);
const checkout = {
  id: 'chk_1',
  ordinal: 1,
  account_id: ACCOUNT,
  currency: 'GBP',
  amount_minor: 3_000,
  return_secret: 'of-the-payer',
  payer_email: 'grace@example.com',
  description: 'Blue room',
  session_expires_at: soon,
  created_at: new Date(),
};
const charge = {
  id: 'chk_1',
  created_at: new Date(),
  booking_id: null,
  change_id: null,
  invoice_id: 'inv_1',
  ordinal: 1,
  account_id: ACCOUNT,
  customer_id: 'cus_1',
  payment_method_id: 'pm_1',
  amount_minor: 500,
  currency: 'GBP',
};
const refund = {
  id: 'pay_2',
  payment_id: 'pay_1',
  purpose: 'request',
  ordinal: 1,
  request_hash: null,
  account_id: ACCOUNT,
  payment_intent_id: 'pi_1',
  amount_minor: 500,
  currency: 'GBP',
  attempt: 0,
} as const;
const swap: TierSwap = {
  account_id: ACCOUNT,
  workspace_id: 'ws_1',
  currency: 'GBP',
  prices: { basic: 1_000, plus: 2_000, pro: 9_000, enterprise: 0 },
  members: { basic: 1, plus: 0, pro: 2, enterprise: 0 },
  from: 'basic',
  to: 'pro',
  remaining_share: 0.5,
};
const period = { from: new Date(Date.now() - HOUR_MS), to: soon, after: 'evt_1' };
const tierSubscription = { subscription_id: 'sub_1', product_id: 'prod_1' };

const CALLS: Record<string, Parameters<typeof sentBy>[0]> = {
  'openCheckout of a booking': (processor) =>
    processor.openCheckout({ ...checkout, booking_id: 'bk_1', invoice_id: null }),
  'openCheckout of an invoice': (processor) =>
    processor.openCheckout({ ...checkout, booking_id: null, invoice_id: 'inv_1' }),
  lookUpCheckout: (processor) => processor.lookUpCheckout(ACCOUNT, 'cs_1'),
  listOpenCheckouts: (processor) => processor.listOpenCheckouts(ACCOUNT, new Date()),
  closeCheckout: (processor) => processor.closeCheckout(ACCOUNT, 'cs_1'),
  lookUpIntent: (processor) => processor.lookUpIntent(ACCOUNT, 'pi_1'),
  'charge of an invoice': (processor) => processor.charge(charge),
  'charge of a change': (processor) =>
    processor.charge({
      ...charge,
      invoice_id: null,
      booking_id: 'bk_1',
      change_id: 'chg_1',
      difference: { amount_minor: 10_000, ordinal: 1 },
    }),
  openCardSetup: (processor) =>
    processor.openCardSetup({
      id: 'cset_1',
      account_id: ACCOUNT,
      session_expires_at: soon,
      created_at: new Date(),
    }),
  lookUpCardSetup: (processor) => processor.lookUpCardSetup(ACCOUNT, 'cs_1'),
  closeCardSetup: (processor) => processor.closeCardSetup(ACCOUNT, 'cs_1'),
  detachCard: (processor) => processor.detachCard(ACCOUNT, 'pm_1'),
  endCharge: (processor) => processor.endCharge(charge),
  createRefund: (processor) => processor.submitRefund(refund),
  lookUpRefund: (processor) => processor.lookUpRefund(ACCOUNT, 're_1'),
  findRefund: (processor) => processor.findRefund(refund),
  listRefunds: (processor) => processor.listRefunds(ACCOUNT, 'pi_1'),
  availableBalance: (processor) => processor.availableBalance(ACCOUNT, 'GBP'),
  listDisputes: (processor) => processor.listDisputes(ACCOUNT, 'pi_1'),
  listDisputesSince: (processor) => processor.listDisputesSince(ACCOUNT, new Date(), 'dp_1'),
  lookUpAccount: (processor) => processor.lookUpAccount(ACCOUNT),
  listCharges: (processor) => processor.listCharges(ACCOUNT, new Date(), 'ch_1'),
  findCharge: (processor) => processor.findCharge(ACCOUNT, 'pi_1'),
  listRefundedCharges: (processor) => processor.listRefundedCharges(ACCOUNT, period),
  listEvents: (processor) => processor.listEvents(ACCOUNT, period),
  listMovements: (processor) => processor.listMovements(ACCOUNT, period),
  createAccount: (processor) => processor.createAccount({ workspace_id: 'ws_1', instead_of: null }),
  createAccountLink: (processor) =>
    processor.createAccountLink({
      account_id: ACCOUNT,
      return_url: 'https://example.com/done',
      refresh_url: 'https://example.com/again',
    }),
  createTierSubscription: (processor) => processor.createTierSubscription(swap, 1),
  quoteTierSwap: (processor) => processor.quoteTierSwap(tierSubscription, swap),
  syncTierSubscription: (processor) => processor.syncTierSubscription(tierSubscription, swap),
};

for (const [name, work] of Object.entries(CALLS)) {
  testWithMock(`Stripe accepts what ${name} sends`, async (t) => {
    const sent = await sentBy(work);
    t.true(sent.length > 0);
    for (const { method, path, status } of sent) t.is(status, 200, `${method} ${path}`);
  });
}

testWithMock('stripe-mock refuses an unknown parameter, so the tests above can fail', async (t) => {
  const stripe = createStripeClient({
    secretKey: 'sk_test_123',
    apiUrl: `http://127.0.0.1:${await start()}`,
  });
  await t.throwsAsync(stripe.refunds.create({ payment_intent: 'pi_1', nonsense: 1 } as never));
});

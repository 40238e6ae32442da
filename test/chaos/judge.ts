import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { findingsOf, reconcile } from '../support/invariants.js';
import { db, internal, mailbox, processorLedger, simulator } from '../support/stack.js';
import { temporal } from '../support/temporal.js';
import { firstArrivals, idsOf } from '../support/receiver.js';
import type { Journal } from './requests.js';
import { DELIVERED, MAIL_DOMAIN, NAME, type House } from './scene.js';

/** Self-heal leaves alone what is younger. */
const SELF_HEAL_ACTS_AFTER_MS = 65_000;
const SETTLES_WITHIN_MS = 150_000;
const POLL_MS = 1_000;
/** Histories that are searched for personal data. */
const HISTORIES = 60;

/** What a run found. */
export interface Violation {
  invariant: string;
  found: unknown;
}

/** What waits for somebody: each query finds rows that must be gone a while after the last fault. */
const UNSETTLED: Record<string, string> = {
  'a booking waits for its payment': `SELECT id FROM bookings WHERE workspace_id = $1 AND status = 'pending_payment'`,
  'a create was neither published nor failed': `
    SELECT booking_id FROM booking_requests WHERE workspace_id = $1 AND state = 'in_flight'`,
  'a change is not decided': `
    SELECT id, state FROM booking_changes WHERE workspace_id = $1 AND state NOT IN ('done', 'refused')`,
  'a refund is pending': `
    SELECT id FROM payments WHERE workspace_id = $1 AND kind = 'refund' AND status = 'pending'`,
  // A reminder of an unpaid booking is due later, and skipped then.
  'a mail is not sent': `
    SELECT id, kind, attempts FROM mails
    WHERE workspace_id = $1 AND status = 'pending' AND (attempts > 0 OR next_attempt_at < now())`,
  'an invoice is not in the accounting system': `
    SELECT d.invoice_id, i.number, i.accounting_error FROM accounting_due d JOIN invoices i ON i.id = d.invoice_id
    WHERE d.workspace_id = $1`,
  'a charge to a card on file is not decided': `
    SELECT id, state FROM checkouts
    WHERE workspace_id = $1 AND payment_method_id IS NOT NULL AND state NOT IN ('paid', 'closed')`,
  'the run of a collection was not notified': `
    SELECT invoice_id, status FROM collections WHERE workspace_id = $1 AND notify_at < now() - interval '5 seconds'`,
  'a collection does not do what is due': `
    SELECT invoice_id, status, next_at FROM collections WHERE workspace_id = $1 AND next_at < now() - interval '5 seconds'`,
  'an open invoice is not collected, or a settled one still is': `
    SELECT i.id, i.status, c.status AS collection FROM invoices i LEFT JOIN collections c ON c.invoice_id = i.id
      LEFT JOIN bookings b ON b.id = i.booking_id
    WHERE i.workspace_id = $1 AND (b.id IS NULL OR b.account_days IS NOT NULL)
      AND (i.status IN ('open', 'authorised')) <> (coalesce(c.status, 'ended') <> 'ended')`,
  'a removed card is not detached': `SELECT setup_id FROM removed_cards WHERE workspace_id = $1`,
  'an upgrade is not invoiced': `SELECT id, state FROM tier_changes WHERE workspace_id = $1 AND state <> 'done'`,
};

/** The events of a workspace that its endpoint subscribes to, in order. */
const eventsOf = ({ workspace }: House): Promise<{ id: string; object_id: string }[]> =>
  db.query(
    `SELECT id, object_id FROM events WHERE workspace_id = $1 AND created_at >= (SELECT created_at FROM webhook_endpoints
       WHERE workspace_id = $1) AND type = ANY ($2) ORDER BY ordinal`,
    [workspace.id, DELIVERED],
  );

async function undelivered(house: House): Promise<string[]> {
  const received = new Set(idsOf(house.receiver.received));
  return (await eventsOf(house)).map(({ id }) => id).filter((id) => !received.has(id));
}

async function unsettled(houses: House[]): Promise<Violation[]> {
  const found: Violation[] = [];
  for (const house of houses) {
    for (const [invariant, query] of Object.entries(UNSETTLED)) {
      const rows = await db.query(query, [house.workspace.id]);
      if (rows.length > 0) found.push({ invariant, found: rows });
    }
    const cards = await db.query(
      `SELECT id, state FROM card_setups WHERE session_id = ANY ($1) AND state <> 'saved'`,
      [house.savedCards],
    );
    if (cards.length > 0) found.push({ invariant: 'a saved card is not on file', found: cards });
    const ids = await undelivered(house);
    if (ids.length > 0) found.push({ invariant: 'an event is not delivered', found: ids });
  }
  return found;
}

/** Ends what waits for banks: refunds that a fault has left pending, and charges of cards whose banks decide later. */
async function letBanksDecide(houses: House[]): Promise<void> {
  for (const { workspace } of houses) {
    const { refunds, payment_intents } = await processorLedger(workspace);
    for (const { id, status } of refunds)
      if (status === 'pending')
        await simulator('POST', `/_sim/refunds/${id}/settle`, { status: 'succeeded' });
    for (const { id, status } of payment_intents)
      if (status === 'processing') await simulator('POST', `/_sim/payment_intents/${id}/settle`);
  }
}

/** Waits until nothing waits any more. Returns what still does at the deadline. */
async function untilSettled(houses: House[], withinMs: number): Promise<Violation[]> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    // Again and again: charges are retried, and refunds created, while the service recovers.
    await letBanksDecide(houses);
    const waiting = await unsettled(houses);
    if (waiting.length === 0 || Date.now() > deadline) return waiting;
    await sleep(POLL_MS);
  }
}

/** Runs a job for a workspace. Returns what went wrong. */
async function run(job: string, { workspace }: House): Promise<Violation[]> {
  const { status, body } = await internal('run_job', { job, workspace_id: workspace.id }).catch(
    (error: Error) => ({ status: 0, body: `${error.message}: ${String(error.cause)}` }),
  );
  return status === 200 ? [] : [{ invariant: `the job ${job} succeeds`, found: body }];
}

/**
 * Lets the service settle what it can without help, then runs once each job that reads the processor or the accounting
 * system. Without webhooks again: what banks have decided meanwhile is known by reading only. Returns what waits even after
 * that.
 */
export async function settle(houses: House[], withoutWebhooks: boolean): Promise<Violation[]> {
  await untilSettled(houses, SELF_HEAL_ACTS_AFTER_MS);
  for (let round = withoutWebhooks ? 2 : 1; ; round--) {
    for (const job of ['read_accounts', 'self_heal', 'accounting_sync'])
      for (const house of houses) {
        const failed = await run(job, house);
        if (failed.length > 0) return failed;
      }
    const waiting = await untilSettled(houses, round > 1 ? SELF_HEAL_ACTS_AFTER_MS : SETTLES_WITHIN_MS);
    if (round === 1) return waiting;
  }
}

async function* orderOfEvents(house: House): AsyncGenerator<Violation> {
  const byObject = new Map<string, string[]>();
  for (const { id, object_id } of await eventsOf(house))
    byObject.set(object_id, [...(byObject.get(object_id) ?? []), id]);
  for (const [objectId, stored] of byObject) {
    const arrived = firstArrivals(house.receiver.received, objectId).filter((id) => stored.includes(id));
    if (!isDeepStrictEqual(arrived, stored))
      yield { invariant: 'the events of an object arrive in order', found: { objectId, stored, arrived } };
  }
}

async function* failedRuns(): AsyncGenerator<Violation> {
  const query = `ExecutionStatus IN ('Failed', 'TimedOut', 'Terminated')`;
  for await (const { workflowId, type, status } of temporal.workflow.list({ query }))
    yield { invariant: 'no workflow fails', found: { workflowId, type, status: status.name } };
}

/** Searches logs and workflow histories for the people of the run. */
async function* personalData(): AsyncGenerator<Violation> {
  const invariant = 'personal data is in Postgres only';
  const isPersonal = (text: string): boolean => text.includes(MAIL_DOMAIN) || text.includes(NAME);
  const logs = join(dirname(process.env.HOLDFAST_DEV_JSON!), 'logs');
  // The log of Postgres is part of it.
  for (const file of readdirSync(logs).filter((name) => name.endsWith('.log') && name !== 'postgres.log')) {
    const line = readFileSync(join(logs, file), 'utf8').split('\n').find(isPersonal);
    if (line) yield { invariant, found: `${file}: ${line.slice(0, 500)}` };
  }
  let left = HISTORIES;
  for await (const { workflowId, runId } of temporal.workflow.list()) {
    if (left-- === 0) return;
    const history = await temporal.workflow.getHandle(workflowId, runId).fetchHistory();
    const payloads: string[] = [];
    JSON.stringify(history, (_key, value) => {
      if (value instanceof Uint8Array) payloads.push(Buffer.from(value).toString());
      return value instanceof Uint8Array ? undefined : value;
    });
    const text = payloads.join('\n');
    if (isPersonal(text)) yield { invariant, found: workflowId };
  }
}

/**
 * No mail twice: every message is that of one row, of which there is one for each kind and object. A mail whose response was
 * lost is sent again under its Message-ID, so that its server can drop it, to the same recipient.
 */
async function* mailsOnce(house: House): AsyncGenerator<Violation> {
  const rows: { id: string; status: string }[] = await db.query(
    `SELECT id, status FROM mails WHERE workspace_id = $1`,
    [house.workspace.id],
  );
  const receipts: { message_id: string; to: string }[] = await mailbox('GET', '/_sim/receipts');
  const recipients = new Map<string, Set<string>>();
  for (const { message_id, to } of receipts)
    recipients.set(message_id, (recipients.get(message_id) ?? new Set()).add(to));
  for (const { id, status } of rows) {
    const count = recipients.get(`<${id}@holdfast>`)?.size ?? 0;
    if (status === 'sent' && count === 0) yield { invariant: 'a mail that is sent arrives', found: id };
    if (count > 1) yield { invariant: 'a mail has one recipient', found: id };
  }
}

/** What a guest's cancellation by the manage link refunded is what the guest was shown before. */
async function* refundsAsShown(
  { workspace }: House,
  { acceptedRefunds }: Journal,
): AsyncGenerator<Violation> {
  const cancelled: { object: string; refund_minor: number }[] = await db.query(
    `SELECT object, (details ->> 'refund_minor')::int AS refund_minor FROM audit_log
     WHERE workspace_id = $1 AND action = 'booking.cancelled' AND actor ? 'guest'`,
    [workspace.id],
  );
  for (const { object, refund_minor } of cancelled)
    if (!acceptedRefunds.get(object)?.has(refund_minor))
      yield { invariant: 'a guest gets the refund that was shown', found: { object, refund_minor } };
}

/** Mails that arrived and are in no row. */
async function* unknownMails(): AsyncGenerator<Violation> {
  const receipts: { message_id: string }[] = await mailbox('GET', '/_sim/receipts');
  const ids = [...new Set(receipts.map(({ message_id }) => /^<(.*)@holdfast>$/.exec(message_id)?.[1] ?? ''))];
  const unknown = await db.query(
    `SELECT id FROM unnest($1::text[]) AS given (id) WHERE NOT EXISTS (SELECT FROM mails m WHERE m.id = given.id)`,
    [ids],
  );
  if (unknown.length > 0) yield { invariant: 'every mail is that of one row', found: unknown };
}

/** What must hold even if rows were lost: nobody pays twice, and no money is without its row or its place. */
const OF_MONEY = [
  'no two live bookings overlap in a room',
  'for each purpose at most one charge is kept',
  "our ledger equals the processor's",
  'a paid invoice has its total',
  'a confirmed booking is paid, an expired one is void',
  'refused payments are refunded in full',
  'payments beyond the amount due are refunded',
  'the refunded amount of a payment is the sum of its refunds and at most its amount',
];

/**
 * What must hold after a run in which rows were lost, once the nightly reconciliation has run: an event that was handled is
 * not read again, although what it led to may be lost.
 */
export async function* judgeMoney(houses: House[]): AsyncGenerator<Violation> {
  for (const house of houses) {
    await reconcile(house.workspace);
    for await (const { invariant, found, expected } of findingsOf(house.workspace))
      if (OF_MONEY.includes(invariant) && !isDeepStrictEqual(found, expected))
        yield { invariant, found: { found, expected } };
  }
}

/** Everything that must hold after a run. */
export async function* judge(houses: House[], journal: Journal): AsyncGenerator<Violation> {
  for (const house of houses) {
    for await (const { invariant, found, expected } of findingsOf(house.workspace))
      if (!isDeepStrictEqual(found, expected)) yield { invariant, found: { found, expected } };
    yield* orderOfEvents(house);
    yield* mailsOnce(house);
    yield* refundsAsShown(house, journal);
  }
  yield* unknownMails();
  yield* failedRuns();
  yield* personalData();
}

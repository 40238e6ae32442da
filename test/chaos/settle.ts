import { setTimeout as sleep } from 'node:timers/promises';
import { internal } from '../support/api-client.js';
import { processorLedger, simulator } from '../support/simulators.js';
import { db } from '../support/stack.js';
import { eventIds } from '../support/receiver.js';
import type { Options } from './options.js';
import { DELIVERED, type ChaosWorkspace } from './scene.js';
import { LAST_DAY } from './subscriptions.js';

/** Self-heal ignores younger rows. */
const SELF_HEAL_ACTS_AFTER_MS = 65_000;
const SETTLES_WITHIN_MS = 150_000;
/** How long a run waits that is expected to find what it has broken. */
const BROKEN_SETTLES_WITHIN_MS = 20_000;
const POLL_MS = 1_000;

/** What a run found. */
export interface Violation {
  invariant: string;
  found: unknown;
}

/**
 * What still waits for somebody: each query finds rows that must disappear some time after the last fault.
 */
const UNSETTLED: Record<string, string> = {
  'a booking waits for its payment': `SELECT id FROM bookings
    WHERE workspace_id = $1 AND status = 'pending_payment'`,
  'a create was neither published nor failed': `
    SELECT booking_id FROM booking_requests WHERE workspace_id = $1 AND state = 'in_flight'`,
  'a change is not decided': `
    SELECT id, state FROM booking_changes WHERE workspace_id = $1 AND state NOT IN ('done', 'refused')`,
  'a refund is pending': `
    SELECT id FROM payments WHERE workspace_id = $1 AND kind = 'refund' AND status = 'pending'`,
  // A reminder for an unpaid booking is due later, and then skipped.
  'a mail is not sent': `
    SELECT id, kind, attempts FROM mails
    WHERE workspace_id = $1 AND status = 'pending' AND (attempts > 0 OR next_attempt_at < now())`,
  'an invoice is not in the accounting system': `
    SELECT d.invoice_id, i.number, i.accounting_error FROM accounting_due d
    JOIN invoices i ON i.id = d.invoice_id
    WHERE d.workspace_id = $1`,
  'a charge to a card on file is not decided': `
    SELECT id, state FROM checkouts
    WHERE workspace_id = $1 AND (payment_method_id IS NOT NULL OR charged_change_id IS NOT NULL)
      AND state NOT IN ('paid', 'closed')`,
  'the run of a collection was not notified': `
    SELECT invoice_id, status FROM collections
    WHERE workspace_id = $1 AND notify_at < now() - interval '5 seconds'`,
  'a collection does not do what is due': `
    SELECT invoice_id, status, next_at FROM collections
    WHERE workspace_id = $1 AND next_at < now() - interval '5 seconds'`,
  'an open invoice is not collected, or a settled one still is': `
    SELECT i.id, i.status, c.status AS collection FROM invoices i
    LEFT JOIN collections c ON c.invoice_id = i.id
      LEFT JOIN bookings b ON b.id = i.booking_id
    WHERE i.workspace_id = $1 AND (b.id IS NULL OR b.account_days IS NOT NULL)
      AND (i.status IN ('open', 'authorised')) <> (coalesce(c.status, 'ended') <> 'ended')`,
  'a removed card is not detached': `SELECT setup_id FROM removed_cards WHERE workspace_id = $1`,
  'a draft is not opened': `SELECT id, kind FROM invoices WHERE workspace_id = $1 AND status = 'draft'`,
  'an upgrade is not invoiced': `SELECT id, state FROM tier_changes
    WHERE workspace_id = $1 AND state <> 'done'`,
};

/** The events of a workspace to which its endpoint subscribes, in order. */
export const listEvents = ({ workspace }: ChaosWorkspace): Promise<{ id: string; object_id: string }[]> =>
  db.query(
    `SELECT id, object_id FROM events WHERE workspace_id = $1 AND created_at >= (SELECT created_at
      FROM webhook_endpoints
       WHERE workspace_id = $1) AND type = ANY ($2) ORDER BY ordinal`,
    [workspace.id, DELIVERED],
  );

async function undelivered(workspace: ChaosWorkspace): Promise<string[]> {
  const received = new Set(eventIds(workspace.receiver.received));
  return (await listEvents(workspace)).map(({ id }) => id).filter((id) => !received.has(id));
}

async function unsettled(workspaces: ChaosWorkspace[]): Promise<Violation[]> {
  const found: Violation[] = [];
  for (const workspace of workspaces) {
    for (const [invariant, query] of Object.entries(UNSETTLED)) {
      const rows: object[] = await db.query(query, [workspace.workspace.id]);
      if (rows.length > 0) found.push({ invariant, found: rows });
    }
    const cards = await db.query(
      `SELECT id, state FROM card_setups WHERE session_id = ANY ($1) AND state <> 'saved'`,
      [workspace.savedCards],
    );
    if (cards.length > 0) found.push({ invariant: 'a saved card is not on file', found: cards });
    const ids = await undelivered(workspace);
    if (ids.length > 0) found.push({ invariant: 'an event is not delivered', found: ids });
  }
  return found;
}

/**
 * Ends what waits for banks: refunds that a fault has left pending, and charges of cards
 * whose banks decide later.
 */
async function letBanksDecide(workspaces: ChaosWorkspace[]): Promise<void> {
  for (const { workspace } of workspaces) {
    const { refunds, payment_intents } = await processorLedger(workspace);
    for (const { id, status } of refunds)
      if (status === 'pending')
        await simulator('POST', `/_sim/refunds/${id}/settle`, { status: 'succeeded' });
    for (const { id, status } of payment_intents)
      if (status === 'processing') await simulator('POST', `/_sim/payment_intents/${id}/settle`);
  }
}

/** Waits until nothing is left waiting. Returns what still waits at the deadline. */
async function untilSettled(workspaces: ChaosWorkspace[], withinMs: number): Promise<Violation[]> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    // Repeatedly: charges are retried, and refunds created, while the service recovers.
    await letBanksDecide(workspaces);
    const waiting = await unsettled(workspaces);
    if (waiting.length === 0 || Date.now() > deadline) return waiting;
    await sleep(POLL_MS);
  }
}

/** Runs a job for a workspace. Returns what went wrong. */
async function run(job: string, { workspace }: ChaosWorkspace): Promise<Violation[]> {
  const { status, body } = await internal('run_job', {
    job,
    workspace_id: workspace.id,
    ...(job === 'subscription_invoices' && { as_of: LAST_DAY }),
  }).catch((error: Error) => ({ status: 0, body: `${error.message}: ${String(error.cause)}` }));
  return status === 200 ? [] : [{ invariant: `the job ${job} succeeds`, found: body }];
}

/**
 * Lets the service settle what it can without help, then runs each job that reads the processor or the
 * accounting system. Without webhooks it runs them again, because banks' later decisions are only seen by
 * reading. Returns what waits even after that.
 */
export async function settle(
  workspaces: ChaosWorkspace[],
  { withoutWebhooks, broken }: Pick<Options, 'withoutWebhooks' | 'broken'>,
): Promise<Violation[]> {
  const wait = (ms: number) => untilSettled(workspaces, broken ? Math.min(ms, BROKEN_SETTLES_WITHIN_MS) : ms);
  await wait(SELF_HEAL_ACTS_AFTER_MS);
  for (let round = withoutWebhooks ? 2 : 1; ; round--) {
    for (const job of ['read_accounts', 'self_heal', 'subscription_invoices', 'accounting_sync'])
      for (const workspace of workspaces) {
        const failed = await run(job, workspace);
        if (failed.length > 0) return failed;
      }
    const waiting = await wait(round > 1 ? SELF_HEAL_ACTS_AFTER_MS : SETTLES_WITHIN_MS);
    if (round === 1) return waiting;
  }
}

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { checkInvariants, reconcile, repeatedPurposes } from '../support/invariants.js';
import { mailbox, processorLedger } from '../support/simulators.js';
import { db } from '../support/stack.js';
import { temporal } from '../support/temporal.js';
import { firstArrivals } from '../support/receiver.js';
import type { Journal } from './requests.js';
import { refundsByLines } from './refunds-by-lines.js';
import { MAIL_DOMAIN, NAME, type ChaosWorkspace } from './scene.js';
import { listEvents, type Violation } from './settle.js';
import { LAST_DAY } from './subscriptions.js';

/** Histories that are searched for personal data. */
const HISTORIES = 60;

async function* orderOfEvents(workspace: ChaosWorkspace): AsyncGenerator<Violation> {
  const byObject = new Map<string, string[]>();
  for (const { id, object_id } of await listEvents(workspace))
    byObject.set(object_id, [...(byObject.get(object_id) ?? []), id]);
  for (const [objectId, stored] of byObject) {
    const arrived = firstArrivals(workspace.receiver.received, objectId).filter((id) => stored.includes(id));
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
  // Postgres' log is included.
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
 * No mail is sent twice: every message belongs to one row, and there is one row for each kind and object. A
 * mail whose response was lost is sent again to the same recipient with the same Message-ID, so that its
 * server can drop it.
 */
async function* mailsOnce(workspace: ChaosWorkspace): AsyncGenerator<Violation> {
  const rows: { id: string; status: string }[] = await db.query(
    `SELECT id, status FROM mails WHERE workspace_id = $1`,
    [workspace.workspace.id],
  );
  const receipts: { message_id: string; to: string }[] = await mailbox('GET', '/_sim/receipts');
  const recipients = new Map<string, Set<string>>();
  for (const { message_id, to } of receipts)
    recipients.set(parseMailId(message_id), (recipients.get(parseMailId(message_id)) ?? new Set()).add(to));
  for (const { id, status } of rows) {
    const count = recipients.get(id)?.size ?? 0;
    if (status === 'sent' && count === 0) yield { invariant: 'a mail that is sent arrives', found: id };
    if (count > 1) yield { invariant: 'a mail has one recipient', found: id };
  }
}

/** A guest's cancellation by the manage link refunds what the guest was shown before. */
async function* refundsAsShown(
  { workspace }: ChaosWorkspace,
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

/** An attempt begins only after the earlier ones have ended unpaid, so that nobody waits for a refund. */
async function* chargedTwice({ workspace }: ChaosWorkspace): AsyncGenerator<Violation> {
  const purposes = repeatedPurposes((await processorLedger(workspace)).charges);
  if (purposes.length > 0)
    yield { invariant: 'for each purpose at most one charge succeeds', found: purposes };
}

/**
 * Each payer has a subscription invoice for each month that has begun; the database prevents two for a month.
 * Months begin on the 28th at the latest.
 */
async function* uninvoicedMonths({ workspace }: ChaosWorkspace): AsyncGenerator<Violation> {
  const left = await db.query(
    `SELECT payer, billing_anchor, next_period_on FROM (
       SELECT id::text AS payer, billing_anchor, next_period_on FROM companies WHERE workspace_id = $1
       UNION ALL
       SELECT id, billing_anchor, next_period_on FROM members WHERE workspace_id = $1 AND company_id IS NULL
     ) p
     WHERE billing_anchor IS NOT NULL
       AND (coalesce(next_period_on <= $2, true)
         OR next_period_on - billing_anchor + greatest(extract(day FROM billing_anchor)::int - 28, 0) <> (
       SELECT coalesce(sum(period_end - period_start), 0) FROM invoices i
       WHERE i.workspace_id = $1 AND i.kind = 'subscription'
         AND coalesce(i.company_id::text, i.member_id) = p.payer))`,
    [workspace.id, LAST_DAY],
  );
  if (left.length > 0) yield { invariant: 'every month of a subscriber is invoiced once', found: left };
}

/** Money that arrives after the booked time confirms nothing. */
async function* confirmedLate({ over }: Journal): AsyncGenerator<Violation> {
  const late = await db.query(
    `SELECT id, status FROM bookings WHERE id = ANY ($1) AND confirmed_at IS NOT NULL`,
    [over],
  );
  if (late.length > 0) yield { invariant: 'no booking is confirmed once its time is over', found: late };
}

/** The id of the mail in a Message-ID. */
const parseMailId = (messageId: string): string => /^<(.*)@.*>$/.exec(messageId)?.[1] ?? '';

/** Mails that arrived and have no row. Those to operators never have one (`worker/operators.ts`). */
async function* unknownMails(): AsyncGenerator<Violation> {
  const receipts: { message_id: string }[] = await mailbox('GET', '/_sim/receipts');
  const sent = new Set(receipts.map(({ message_id }) => parseMailId(message_id)));
  const ids = [...sent].filter((id) => !id.startsWith('behind-'));
  const unknown = await db.query(
    `SELECT id FROM unnest($1::text[]) AS given (id)
      WHERE NOT EXISTS (SELECT FROM mails m WHERE m.id = given.id)`,
    [ids],
  );
  if (unknown.length > 0) yield { invariant: 'every mail is that of one row', found: unknown };
}

/**
 * What must hold even if rows were lost: nobody pays twice, and no money is without its row or its booking.
 */
const OF_MONEY = [
  'no two live bookings overlap in a room',
  'for each purpose at most one charge is kept',
  'no refund is made twice',
  'money that is kept has paid its invoice',
  "our ledger equals the processor's",
  'a paid invoice has its total',
  'a confirmed booking is paid, an expired one is void',
  'refused payments are refunded in full',
  'payments beyond the amount due are refunded',
  'the refunded amount of a payment is the sum of its refunds and at most its amount',
];

/**
 * What must hold after a run with lost rows, once the nightly reconciliation has run: a handled event is not
 * read again, although its effect may be lost.
 */
export async function* judgeMoney(workspaces: ChaosWorkspace[]): AsyncGenerator<Violation> {
  for (const workspace of workspaces) {
    await reconcile(workspace.workspace);
    for await (const { invariant, found, expected } of checkInvariants(workspace.workspace))
      if (OF_MONEY.includes(invariant) && !isDeepStrictEqual(found, expected))
        yield { invariant, found: { found, expected } };
  }
}

/** Everything that must hold after a run. */
export async function* judge(workspaces: ChaosWorkspace[], journal: Journal): AsyncGenerator<Violation> {
  for (const workspace of workspaces) {
    for await (const { invariant, found, expected } of checkInvariants(workspace.workspace))
      if (!isDeepStrictEqual(found, expected)) yield { invariant, found: { found, expected } };
    yield* chargedTwice(workspace);
    yield* orderOfEvents(workspace);
    yield* mailsOnce(workspace);
    yield* refundsAsShown(workspace, journal);
    yield* uninvoicedMonths(workspace);
    yield* refundsByLines(workspace);
  }
  yield* confirmedLate(journal);
  yield* unknownMails();
  yield* failedRuns();
  yield* personalData();
}

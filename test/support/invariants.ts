import type { ExecutionContext } from 'ava';
import { DAY_MS } from '../../domain/durations.js';
import type { ProcessorLedger } from './ledgers.js';
import { db, processorLedger, until, type TestWorkspace } from './stack.js';

/** Invariants of a workspace. Each query finds the rows that violate it. */
const INVARIANTS: Record<string, string> = {
  'no two live bookings overlap in a room': `
    SELECT a.id, b.id AS other FROM bookings a JOIN bookings b
      ON a.room_id = b.room_id AND a.id < b.id AND tstzrange(a.start_at, a.end_at) && tstzrange(b.start_at, b.end_at)
    WHERE a.workspace_id = $1 AND a.live_room_id IS NOT NULL AND b.live_room_id IS NOT NULL`,
  'a live booking has its slot claim, an expired one none': `
    SELECT b.id FROM bookings b WHERE b.workspace_id = $1 AND (b.status IN ('pending_payment', 'confirmed'))
      <> EXISTS (SELECT FROM slot_claims c WHERE c.booking_id = b.id) AND b.status <> 'completed'`,
  'a hold never outlives the booked time, nor a pending change the new one': `
    SELECT b.id FROM bookings b WHERE b.workspace_id = $1 AND b.status = 'pending_payment' AND b.expires_at > b.end_at
    UNION ALL SELECT c.id FROM booking_changes c WHERE c.workspace_id = $1 AND c.state = 'pending'
      AND c.expires_at > to_timestamp((c.plan #>> '{move,end_at}')::bigint / 1000.0)`,
  'a published booking has its invoice, an unpublished one nothing': `
    SELECT b.id FROM bookings b WHERE b.workspace_id = $1
      AND (b.published_at IS NOT NULL) <> EXISTS (SELECT FROM invoices i WHERE i.booking_id = b.id)`,
  'a confirmed booking is paid, an expired one is void': `
    SELECT b.id, b.status, i.status FROM bookings b JOIN invoices i ON i.id = b.invoice_id
    WHERE b.workspace_id = $1 AND b.account_days IS NULL AND i.status <> ALL (CASE b.status
      WHEN 'pending_payment' THEN '{open,authorised}' WHEN 'expired' THEN '{void}'
      WHEN 'cancelled' THEN '{void,paid,refunded}' ELSE '{paid,refunded}' END::text[])`,
  'a booking on account is never pending, and its invoice is void only if it was cancelled, or voided once it was over': `
    SELECT b.id FROM bookings b JOIN invoices i ON i.id = b.invoice_id
    WHERE b.workspace_id = $1 AND b.account_days IS NOT NULL
      AND (b.status = 'pending_payment' OR (i.status = 'void' AND b.status <> 'cancelled'
        AND NOT (b.status = 'completed' AND EXISTS (SELECT FROM audit_log a WHERE a.object = i.id AND a.action = 'invoice.voided'))))`,
  'a booking without a change in progress has one slot claim': `
    SELECT b.id FROM bookings b WHERE b.workspace_id = $1 AND b.live_room_id IS NOT NULL
      AND (SELECT count(*) FROM slot_claims c WHERE c.booking_id = b.id) <> 1
      AND NOT EXISTS (SELECT FROM booking_changes c WHERE c.booking_id = b.id AND c.state IN ('charging', 'opening', 'pending'))`,
  'a change that waits for its payer has both slots and a checkout of its difference': `
    SELECT c.id FROM booking_changes c LEFT JOIN checkouts k ON k.change_id = c.id JOIN bookings b ON b.id = c.booking_id
    WHERE c.workspace_id = $1 AND c.state = 'pending' AND (k.state IS DISTINCT FROM 'open' OR b.status <> 'confirmed'
      OR k.amount_minor IS DISTINCT FROM (c.plan #>> '{move,difference,total_minor}')::bigint
      OR (SELECT count(*) FROM slot_claims s WHERE s.booking_id = b.id) <> 2)`,
  'the checkout of a change that has ended is paid, or is not open any more': `
    SELECT k.id, k.state, c.state FROM checkouts k JOIN booking_changes c ON c.id = k.change_id
    WHERE k.workspace_id = $1 AND c.state IN ('done', 'refused')
      AND (c.state = 'done' AND k.state <> 'paid' OR k.state IN ('opening', 'open'))`,
  'no change is paid twice': `
    SELECT c.id FROM booking_changes c WHERE c.workspace_id = $1 AND c.state = 'done'
      AND (SELECT count(*) FROM payments p WHERE p.booking_id = c.booking_id AND p.kind = 'top_up') >
        (SELECT count(*) FROM booking_changes d WHERE d.booking_id = c.booking_id AND d.outcome ->> 'payment_id' IS NOT NULL)`,
  'a paid invoice has its total': `
    SELECT i.id FROM invoices i WHERE i.workspace_id = $1 AND i.status IN ('paid', 'refunded') AND i.total_minor <>
      (SELECT coalesce(sum(p.amount_minor - p.excess_minor), 0) FROM payments p
       WHERE p.invoice_id = i.id AND p.kind <> 'refund' AND p.status <> 'failed')`,
  'a refused charge to a card on file has a failed payment, a successful one is paid': `
    SELECT c.id FROM checkouts c WHERE c.workspace_id = $1 AND c.payment_method_id IS NOT NULL AND
      (c.refusal_code IS NOT NULL) <> (c.state = 'closed')`,
  'a card is on file or to be detached': `
    SELECT c.setup_id FROM cards c JOIN removed_cards r USING (setup_id) WHERE c.workspace_id = $1`,
  'one charge or hosted page at a time': `
    SELECT c.invoice_id FROM checkouts c WHERE c.workspace_id = $1 AND c.invoice_id IS NOT NULL
      AND c.state IN ('opening', 'open', 'processing') GROUP BY c.invoice_id HAVING count(*) > 1`,
  'payments beyond the amount due are refunded': `
    SELECT p.id FROM payments p WHERE p.workspace_id = $1 AND p.kind <> 'refund' AND p.excess_minor > p.refunded_minor`,
  'the refunded amount of a payment is the sum of its refunds and at most its amount': `
    SELECT p.id FROM payments p WHERE p.workspace_id = $1 AND p.kind <> 'refund' AND p.refunded_minor <>
      (SELECT coalesce(sum(r.amount_minor), 0) FROM payments r WHERE r.refund_of = p.id AND r.status <> 'failed')`,
  'what banks have taken of a payment is what its disputes moved': `
    SELECT p.id FROM payments p WHERE p.workspace_id = $1 AND p.disputed_minor <>
      (SELECT coalesce(-sum(m.amount_minor), 0) FROM dispute_movements m WHERE m.payment_id = p.id)`,
  'a payment is disputed while a bank has its money and after a loss': `
    SELECT p.id FROM payments p WHERE p.workspace_id = $1 AND (p.status = 'disputed') <> (p.disputed_minor > 0
      OR EXISTS (SELECT FROM disputes d WHERE d.payment_id = p.id AND d.status = 'lost'))`,
  'an invoice is the sum of its lines': `
    SELECT i.id FROM invoices i WHERE i.workspace_id = $1 AND (i.net_minor, i.tax_minor) IS DISTINCT FROM
      (SELECT (sum(l.net_minor)::bigint, sum(l.tax_minor)::bigint) FROM invoice_lines l WHERE l.invoice_id = i.id)`,
  'invoice numbers have no gaps but the recorded ones': `
    SELECT n FROM generate_series(1, (SELECT max(number) FROM invoices WHERE workspace_id = $1)) n
    WHERE (SELECT count(*) FROM invoices i WHERE i.workspace_id = $1 AND i.number = n)
        + (SELECT count(*) FROM invoice_number_gaps g
           WHERE g.workspace_id = $1 AND n BETWEEN g.first_number AND g.last_number) <> 1`,
  'refused payments are refunded in full': `
    SELECT p.id FROM payments p WHERE p.workspace_id = $1 AND p.refusal IS NOT NULL AND p.amount_minor <>
      (SELECT coalesce(sum(r.amount_minor), 0) FROM payments r WHERE r.refund_of = p.id AND r.status <> 'failed')`,
  'the events of a booking match its status': `
    SELECT b.id FROM bookings b WHERE b.workspace_id = $1 AND b.published_at IS NOT NULL AND
      (SELECT array_agg(e.type ORDER BY e.sequence) FROM events e
       WHERE e.object_id = b.id AND e.type NOT IN ('booking.updated', 'booking.no_show',
         'booking.change_pending', 'booking.change_lapsed')) <> CASE b.status
        WHEN 'pending_payment' THEN '{booking.created}' WHEN 'expired' THEN '{booking.created,booking.expired}'
        WHEN 'cancelled' THEN CASE WHEN b.confirmed_at IS NULL THEN '{booking.created,booking.cancelled}'
                              ELSE '{booking.created,booking.confirmed,booking.cancelled}' END
        WHEN 'confirmed' THEN '{booking.created,booking.confirmed}'
        WHEN 'completed' THEN '{booking.created,booking.confirmed,booking.completed}' ELSE '{}' END::text[]`,
};

/** What a check of a workspace found, and what it must find. */
export interface Finding {
  invariant: string;
  found: unknown;
  expected: unknown;
}

/** Reconciles the last month of a workspace, which settles what the ledger lacks, and returns the report. */
export function reconcile({ api }: TestWorkspace) {
  const [from, to] = [-30, 1].map((days) => new Date(Date.now() + days * DAY_MS).toISOString());
  // It takes longer, or fails, while another test kills workers.
  return until(async () => {
    const { status, body } = await api.get(`/v1/reconciliation?from=${from}&to=${to}`);
    return status === 200 && body;
  }, 120_000);
}

/** Checks the invariants of a workspace in a database, and compares its payments with the processor's charges. */
export async function* findingsOf(workspace: TestWorkspace, database = db): AsyncGenerator<Finding> {
  for (const [invariant, query] of Object.entries(INVARIANTS))
    yield { invariant, found: await database.query(query, [workspace.id]), expected: [] };
  if (!workspace.accountId) return;
  const { charges } = await processorLedger(workspace);
  yield { invariant: 'for each purpose at most one charge is kept', found: keptTwice(charges), expected: [] };
  const theirs = charges
    .filter((charge) => charge.status === 'succeeded')
    .map((charge) => [charge.payment_intent, charge.amount, charge.amount_refunded])
    .sort();
  const ours = await database.query(
    `SELECT processor_payment_intent_id, amount_minor,
            (SELECT coalesce(sum(r.amount_minor), 0)::bigint FROM payments r WHERE r.refund_of = p.id AND r.status <> 'failed')
              AS refunded
     FROM payments p WHERE workspace_id = $1 AND kind <> 'refund' AND account_id IS NOT NULL AND status <> 'failed'`,
    [workspace.id],
  );
  const ledger = ours
    .map((row: { processor_payment_intent_id: string; amount_minor: number; refunded: number }) => [
      row.processor_payment_intent_id,
      row.amount_minor,
      row.refunded,
    ])
    .sort();
  yield { invariant: "our ledger equals the processor's", found: ledger, expected: theirs };
  const report = await reconcile(workspace);
  yield { invariant: 'the reconciliation finds nothing', found: report.differences, expected: [] };
}

/** The purposes for which the processor has kept more than one charge: a booking, a change of one, or an invoice. */
function keptTwice(charges: ProcessorLedger['charges']): string[] {
  const kept = charges.filter(
    ({ status, amount, amount_refunded }) => status === 'succeeded' && amount_refunded < amount,
  );
  const purposes = kept.map(
    ({ metadata }) => metadata.change_id ?? metadata.invoice_id ?? metadata.booking_id ?? null,
  );
  return purposes.filter((purpose, n) => purpose !== null && purposes.indexOf(purpose) !== n) as string[];
}

/** Requires that the invariants of a workspace hold, in the stack's database unless another is given. */
export async function sweep(t: ExecutionContext, workspace: TestWorkspace, database = db): Promise<void> {
  for await (const { invariant, found, expected } of findingsOf(workspace, database))
    t.deepEqual(found, expected, invariant);
}

import type { PresentedBooking } from '../../domain/bookings/booking-presenter.js';
import { smallestUnit } from '../../domain/processor/amounts.js';
import type { RefundStep } from '../../domain/bookings/refund-policy.js';
import { allowedRefunds, isAmbiguous, type Moment, type Terms } from '../support/allowed-refunds.js';
import { db } from '../support/stack.js';
import type { ChaosWorkspace } from './scene.js';
import type { Violation } from './settle.js';

interface Life {
  id: string;
  /** Of the booking, in their order. */
  events: { type: string; at: string; booking: PresentedBooking }[];
  /**
   * What was refunded by the steps for its changes and its cancellation, with tax, by tax code; minor units.
   */
  refunded: Record<string, number>;
  cancelled_by: string | null;
  /** All refunds were by lines, and no bank has withdrawn any money, so nothing else limits the refunds. */
  only_by_lines: boolean;
}

/** Not on account: an amount that was never paid is not refunded. */
const LIVES = `
  SELECT b.id,
    (SELECT json_agg(json_build_object('type', e.type, 'at', e.created_at, 'booking',
      e.body #> '{data,object}') ORDER BY e.sequence)
     FROM events e WHERE e.object_id = b.id) AS events,
    (SELECT coalesce(json_object_agg(tax_code, minor), '{}') FROM (
       SELECT l.tax_code, sum(l.net_minor + l.tax_minor) AS minor FROM payments r
         CROSS JOIN jsonb_to_recordset(r.credit) AS l(tax_code text, net_minor bigint, tax_minor bigint)
       WHERE r.booking_id = b.id AND r.kind = 'refund' GROUP BY 1) credited) AS refunded,
    (SELECT a.details ->> 'refund_policy' FROM audit_log a
      WHERE a.object = b.id AND a.action = 'booking.cancelled') AS cancelled_by,
    NOT EXISTS (SELECT FROM payments p WHERE p.booking_id = b.id AND (
      p.kind = 'refund' AND p.credit IS NULL AND p.purpose IN ('request', 'dashboard')
      OR EXISTS (SELECT FROM dispute_movements m WHERE m.payment_id = p.id))) AS only_by_lines
  FROM bookings b WHERE b.workspace_id = $1 AND b.confirmed_at IS NOT NULL AND b.account_days IS NULL`;

/** The moments in a booking's life when money can be returned. A chosen amount is not by the steps. */
const refundMoments = ({ events, cancelled_by }: Life): Moment[] =>
  events
    .filter(({ type }) => type !== 'booking.cancelled' || cancelled_by === 'standard')
    .map(({ type, ...moment }) => ({
      ...moment,
      type: type === 'booking.cancelled' ? 'cancelled by the steps' : 'changed',
    }));

async function readTerms(workspaceId: string): Promise<Terms> {
  const rows: { id: string; refund_steps: RefundStep[] | null; account: string | null }[] = await db.query(
    `SELECT id::text, refund_steps, NULL AS account FROM rooms WHERE workspace_id = $1
     UNION ALL SELECT id::text, refund_steps, accounting_account FROM extras WHERE workspace_id = $1`,
    [workspaceId],
  );
  return {
    steps: new Map(rows.flatMap(({ id, refund_steps }) => (refund_steps ? [[id, refund_steps]] : []))),
    accounts: new Map(rows.flatMap(({ id, account }) => (account ? [[id, account]] : []))),
  };
}

/**
 * How many refunds were by lines, and how many changes exchanged lines without money, to show how much could
 * be checked.
 */
export async function countByLines(
  workspaces: ChaosWorkspace[],
): Promise<{ refunded_by_lines: number; exchanged: number }> {
  const ids = workspaces.map(({ workspace }) => workspace.id);
  const [counts] = await db.query(
    `SELECT (SELECT count(*)::int FROM payments
      WHERE workspace_id = ANY ($1) AND credit IS NOT NULL) AS refunded_by_lines,
            (SELECT count(DISTINCT l.change_id)::int FROM invoice_lines l
              JOIN invoices i ON i.id = l.invoice_id
             WHERE i.workspace_id = ANY ($1) AND l.net_minor + l.tax_minor < 0) AS exchanged`,
    [ids],
  );
  return counts;
}

/**
 * For each tax code, changes and cancellations refund what the lines of their booking allow, and less only if
 * something else limits it. Each moment rounds each part and tax code.
 */
export async function* refundsByLines({ workspace, currency }: ChaosWorkspace): AsyncGenerator<Violation> {
  const terms = await readTerms(workspace.id);
  const lives: Life[] = await db.query(LIVES, [workspace.id]);
  for (const life of lives) {
    const { id, refunded, only_by_lines } = life;
    const moments = refundMoments(life);
    if (moments.some((moment) => isAmbiguous(moment, terms))) continue;
    const allowed = allowedRefunds(moments, terms);
    const rounding = 3 * moments.length * smallestUnit(currency);
    for (const code of new Set([...allowed.keys(), ...Object.keys(refunded)])) {
      const [least, most] = allowed.get(code) ?? [0, 0];
      const minor = refunded[code] ?? 0;
      if (minor > most + rounding || (only_by_lines && minor < least - rounding))
        yield {
          invariant: 'what a change or cancellation refunds of a tax code is what its lines allow',
          found: { id, code, minor, least, most },
        };
    }
  }
}

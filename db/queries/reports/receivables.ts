import type { Receivable } from '../../../domain/reports/receivables.js';
import { many } from '../../query.js';
import type { Tx } from '../../transaction.js';

/**
 * Returns what is outstanding on the open invoices of a workspace, by payer and currency, the largest first;
 * without holds, whose bookings await their payment. `limits` are those of `ageLimits`. Invoices of one payer
 * are added even if the payer was renamed; the guests of a workspace are told apart by their addresses, and
 * erased people are one row.
 */
export function listReceivables(tx: Tx, workspaceId: string, limits: Date[]): Promise<Receivable[]> {
  return many<Receivable>(
    tx,
    `WITH owed AS (
       SELECT i.id, i.currency, i.due_at, i.company_id, i.member_id,
              coalesce(i.booking_id, booking_of_invoice(i.adjusts)) AS booking_id,
              i.total_minor - paid_minor(i) AS minor
       FROM invoices i
       WHERE i.workspace_id = $1 AND i.status IN ('open', 'authorised')
         AND NOT EXISTS (SELECT FROM bookings b WHERE b.id = i.booking_id AND b.status = 'pending_payment')
     ), by_payer AS (
       SELECT CASE WHEN c.id IS NOT NULL THEN 'company' WHEN m.id IS NOT NULL THEN 'member'
                ELSE 'guest' END AS kind,
              CASE WHEN c.id IS NOT NULL THEN c.id::text WHEN m.id IS NOT NULL THEN m.id
                WHEN o.member_id IS NULL THEN guest_key(b) END AS id,
              CASE WHEN c.id IS NOT NULL THEN c.name WHEN m.id IS NOT NULL THEN m.name
                WHEN o.member_id IS NULL THEN b.guest_name END AS name,
              o.currency, o.minor, o.due_at
       FROM owed o
       LEFT JOIN companies c ON c.id = o.company_id
       LEFT JOIN members m ON m.id = o.member_id AND m.status <> 'deleted'
       LEFT JOIN bookings b ON b.id = o.booking_id
       WHERE o.minor > 0
     )
     SELECT kind, id, coalesce(max(name), 'A former customer') AS name, currency, count(*)::int AS invoices,
       coalesce(sum(minor) FILTER (WHERE due_at >= $2), 0)::bigint AS not_due_minor,
       coalesce(sum(minor) FILTER (WHERE due_at < $2 AND due_at >= $3), 0)::bigint AS days_1_to_30_minor,
       coalesce(sum(minor) FILTER (WHERE due_at < $3 AND due_at >= $4), 0)::bigint AS days_31_to_60_minor,
       coalesce(sum(minor) FILTER (WHERE due_at < $4 AND due_at >= $5), 0)::bigint AS days_61_to_90_minor,
       coalesce(sum(minor) FILTER (WHERE due_at < $5), 0)::bigint AS days_over_90_minor,
       sum(minor)::bigint AS total_minor
     FROM by_payer GROUP BY kind, id, currency ORDER BY currency, total_minor DESC, name, id`,
    [workspaceId, ...limits],
  );
}

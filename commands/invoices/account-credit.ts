import { OVERDUE_DAYS_AFTER } from '../../domain/invoices/collection.js';
import { whyNotOwe, type Credit } from '../../domain/invoices/credit.js';
import { refuse } from '../../domain/errors.js';
import { execute, one } from '../../db/query.js';
import type { Tx } from '../../db/transaction.js';
import type { PayerId } from '../../db/queries/payments/card.js';

/**
 * What a payer owes: open invoices, and bookings on account that are being created, without abandoned ones.
 * `$1`: the workspace, `$2` and `$3`: the payer, `$4`: the currency of the new amount, `$5`:
 * OVERDUE_DAYS_AFTER. A limit is an amount in the workspace's currency.
 */
const CREDIT = `WITH unpaid AS (
    SELECT i.currency, i.total_minor - (SELECT coalesce(sum(p.amount_minor - greatest(p.excess_minor,
      p.refunded_minor)), 0)
        FROM payments p WHERE p.invoice_id = i.id AND p.kind <> 'refund' AND p.status <> 'failed') AS minor,
      i.due_at <= now() - make_interval(days => $5) AS is_overdue
    FROM invoices i LEFT JOIN bookings ib ON ib.id = i.booking_id
    WHERE i.workspace_id = $1 AND i.status IN ('open', 'authorised')
      AND (i.company_id = $2 OR (i.company_id IS NULL AND i.member_id = $3))
      AND ib.status IS DISTINCT FROM 'pending_payment'
    UNION ALL
    SELECT bookings.currency, bookings.price_minor, false FROM bookings
    WHERE bookings.workspace_id = $1 AND bookings.account_days IS NOT NULL AND bookings.published_at IS NULL
      AND NOT is_abandoned(bookings)
      AND (bookings.company_id = $2 OR (bookings.company_id IS NULL AND bookings.member_id = $3))
  )
  SELECT coalesce((SELECT sum(minor) FROM unpaid WHERE currency = $4), 0)::bigint AS unpaid_minor,
         coalesce((SELECT credit_limit_minor FROM companies WHERE id = $2),
                  (SELECT credit_limit_minor FROM members WHERE id = $3 AND $2::uuid IS NULL)) AS limit_minor,
         currency AS limit_currency,
         currency <> $4 OR EXISTS (SELECT FROM unpaid WHERE unpaid.currency <> w.currency) AS is_mixed,
         refuse_overdue_payers AND EXISTS (SELECT FROM unpaid WHERE is_overdue) AS is_refused
  FROM workspaces w WHERE id = $1`;

/** Returns what a payer owes in a currency, and may owe. */
export function findAccountCredit(
  tx: Tx,
  payer: PayerId,
  { workspace_id, currency }: { workspace_id: string; currency: string },
): Promise<Credit> {
  const { company_id, member_id } = payer;
  return one<Credit>(tx, CREDIT, [workspace_id, company_id, member_id, currency, OVERDUE_DAYS_AFTER]);
}

/** An amount that a payer would owe in addition. */
interface Debt {
  workspace_id: string;
  currency: string;
  amount_minor: number;
}

/**
 * Checks that a payer may owe another amount, under a lock that serializes their bookings on account
 * (docs/rules/bookings.md#on-account). Errors: 409 `credit_limit_exceeded`.
 */
export async function assertCredit(tx: Tx, payer: PayerId, debt: Debt): Promise<void> {
  const { company_id, member_id } = payer;
  if (company_id) await execute(tx, `SELECT FROM companies WHERE id = $1 FOR NO KEY UPDATE`, [company_id]);
  else await execute(tx, `SELECT FROM members WHERE id = $1 FOR NO KEY UPDATE`, [member_id]);
  await checkCredit(tx, payer, debt);
}

/** Checks without the lock that a payer may owe another amount now. Errors: 409 `credit_limit_exceeded`. */
export async function checkCredit(
  tx: Tx,
  payer: PayerId,
  { workspace_id, currency, amount_minor }: Debt,
): Promise<void> {
  const credit = await findAccountCredit(tx, payer, { workspace_id, currency });
  refuse(whyNotOwe(credit, { amount_minor, currency }));
}

import type { Payout, PayoutEntry } from '../../db/entities/payouts.js';
import { AccountRead } from '../../db/entities/payments.js';
import { column, execute } from '../../db/query.js';
import type { Tx } from '../../db/transaction.js';

/** A payout with its current state at the processor. Amounts in minor units. */
export type ReportedPayout = Omit<Payout, 'workspace_id' | 'account_id' | 'entries_read_at'>;

/** What is in a payout. Amounts in minor units. */
export type ReportedPayoutEntry = Omit<PayoutEntry, 'workspace_id' | 'payout_id'>;

/** The account whose payouts are stored. */
type Account = Pick<AccountRead, 'account_id' | 'workspace_id'>;

/** Stores payouts with their current state at the processor (docs/rules/reports.md#payouts). Idempotent. */
export async function storePayouts(
  tx: Tx,
  { account_id, workspace_id }: Account,
  payouts: ReportedPayout[],
): Promise<void> {
  await execute(
    tx,
    `INSERT INTO payouts (id, workspace_id, account_id, status, automatic, reconciled, currency, amount_minor,
       arrives_on, failure_code, created_at)
     SELECT p.id, $1, $2, p.status, p.automatic, p.reconciled, p.currency, p.amount_minor, p.arrives_on,
       p.failure_code, p.created_at
     FROM jsonb_populate_recordset(NULL::payouts, $3) p
     ON CONFLICT (id) DO UPDATE SET status = excluded.status, reconciled = excluded.reconciled,
       amount_minor = excluded.amount_minor, arrives_on = excluded.arrives_on,
       failure_code = excluded.failure_code`,
    [workspace_id, account_id, JSON.stringify(payouts)],
  );
}

/** Returns the payouts of an account whose entries the processor knows and we do not, oldest first. */
export const listUnreadPayouts = (tx: Tx, { account_id, workspace_id }: Account): Promise<string[]> =>
  column<string>(
    tx,
    `SELECT id FROM payouts
     WHERE account_id = $1 AND workspace_id = $2 AND reconciled AND entries_read_at IS NULL
     ORDER BY created_at, id`,
    [account_id, workspace_id],
  );

/** Stores everything that is in a payout. Idempotent. */
export async function storePayoutEntries(
  tx: Tx,
  { workspace_id }: Account,
  payoutId: string,
  entries: ReportedPayoutEntry[],
): Promise<void> {
  await execute(
    tx,
    `WITH stored AS (
       INSERT INTO payout_entries (id, workspace_id, payout_id, kind, gross_minor, fee_minor, net_minor,
         payment_intent_id, refund_id, created_at)
       SELECT e.id, $1, $2, e.kind, e.gross_minor, e.fee_minor, e.net_minor, e.payment_intent_id, e.refund_id,
         e.created_at
       FROM jsonb_populate_recordset(NULL::payout_entries, $3) e
       ON CONFLICT (id) DO NOTHING)
     UPDATE payouts SET entries_read_at = now() WHERE id = $2 AND workspace_id = $1`,
    [workspace_id, payoutId, JSON.stringify(entries)],
  );
}

/** Records that the payouts of an account have been read up to a time. */
export async function recordPayoutsRead(tx: Tx, { account_id }: Account, until: Date): Promise<void> {
  await tx.update(AccountRead, { account_id }, { payouts_read_at: until });
}

import type { AccountRead } from '../../entities/payments.js';
import type { PayoutEntryFacts, PayoutFacts } from '../../../domain/reports/payouts.js';
import { many, maybeOne } from '../../query.js';
import type { Tx } from '../../transaction.js';

/** A connected account, and when its payouts were last read. */
export type PayoutAccount = Pick<AccountRead, 'account_id' | 'workspace_id' | 'payouts_read_at'>;

/**
 * Lists the connected accounts of all workspaces or of one, also those that a workspace had before, by id. A
 * row for the accounting of a workspace has the workspace's id.
 */
export const listPayoutAccounts = (
  tx: Tx,
  { workspaceId, after, limit }: { workspaceId?: string; after: string; limit: number },
): Promise<PayoutAccount[]> =>
  many<PayoutAccount>(
    tx,
    `SELECT account_id, workspace_id, payouts_read_at FROM account_reads
     WHERE account_id > $2 AND ($1::text IS NULL OR workspace_id = $1) AND account_id <> workspace_id
     ORDER BY account_id LIMIT $3`,
    [workspaceId ?? null, after, limit],
  );

/** Which payouts are listed. */
export interface PayoutFilter {
  workspace_id: string;
  from?: Date | undefined;
  to?: Date | undefined;
  after?: { created_at: string; id: string };
  limit: number;
}

/** Lists payouts that were created in a period, newest first, with the sums of their entries by kind. */
export const listPayouts = (tx: Tx, filter: PayoutFilter): Promise<PayoutFacts[]> =>
  many<PayoutFacts>(
    tx,
    `SELECT p.id, p.status, p.automatic, p.currency, p.amount_minor, p.arrives_on::text, p.failure_code,
       p.created_at, p.entries_read_at, kinds.kinds
     FROM payouts p CROSS JOIN LATERAL payout_kinds(p.id) kinds
     WHERE p.workspace_id = $1 AND ($2::timestamptz IS NULL OR p.created_at >= $2)
       AND ($3::timestamptz IS NULL OR p.created_at < $3)
       AND ($4::timestamptz IS NULL OR (p.created_at, p.id) < ($4, $5))
     ORDER BY p.created_at DESC, p.id DESC LIMIT $6`,
    [
      filter.workspace_id,
      filter.from ?? null,
      filter.to ?? null,
      filter.after?.created_at ?? null,
      filter.after?.id ?? null,
      filter.limit,
    ],
  );

/** Returns a payout of a workspace. */
export const findPayout = (tx: Tx, workspaceId: string, id: string): Promise<PayoutFacts | null> =>
  maybeOne<PayoutFacts>(
    tx,
    `SELECT p.id, p.status, p.automatic, p.currency, p.amount_minor, p.arrives_on::text, p.failure_code,
       p.created_at, p.entries_read_at, kinds.kinds
     FROM payouts p CROSS JOIN LATERAL payout_kinds(p.id) kinds
     WHERE p.workspace_id = $1 AND p.id = $2`,
    [workspaceId, id],
  );

/**
 * Lists what is in a payout of a workspace, newest first, with the payment, invoice and booking of each
 * entry.
 */
export const listPayoutEntries = (
  tx: Tx,
  filter: Omit<PayoutFilter, 'from' | 'to'> & { payout_id: string },
): Promise<PayoutEntryFacts[]> =>
  many<PayoutEntryFacts>(
    tx,
    `SELECT e.id, e.kind, e.gross_minor, e.fee_minor, e.net_minor, e.created_at, about.*
     FROM payout_entries e LEFT JOIN LATERAL about_payout_entry(e) about ON true
     WHERE e.workspace_id = $1 AND e.payout_id = $2
       AND ($3::timestamptz IS NULL OR (e.created_at, e.id) < ($3, $4))
     ORDER BY e.created_at DESC, e.id DESC LIMIT $5`,
    [
      filter.workspace_id,
      filter.payout_id,
      filter.after?.created_at ?? null,
      filter.after?.id ?? null,
      filter.limit,
    ],
  );

/** An entry with its payout; the fields of an entry are null for a payout without any. */
export type PayoutRow = Pick<PayoutFacts, 'status' | 'currency' | 'amount_minor' | 'arrives_on'> & {
  payout_id: string;
  payout_at: Date;
} & { [Field in keyof PayoutEntryFacts]: PayoutEntryFacts[Field] | null };

/** Lists the entries of the payouts that were created in a period, newest payout first. */
export const listPayoutRows = (
  tx: Tx,
  filter: Omit<PayoutFilter, 'after'> & { after: PayoutRow | undefined },
): Promise<PayoutRow[]> =>
  many<PayoutRow>(
    tx,
    `SELECT p.id AS payout_id, p.created_at AS payout_at, p.status, p.currency, p.amount_minor,
       p.arrives_on::text, e.id, e.kind, e.gross_minor, e.fee_minor, e.net_minor, e.created_at, about.*
     FROM payouts p LEFT JOIN payout_entries e ON e.payout_id = p.id
       LEFT JOIN LATERAL about_payout_entry(e) about ON true
     WHERE p.workspace_id = $1 AND ($2::timestamptz IS NULL OR p.created_at >= $2)
       AND ($3::timestamptz IS NULL OR p.created_at < $3)
       AND ($4::timestamptz IS NULL OR (p.created_at, p.id) < ($4, $5)
         OR (p.created_at, p.id) = ($4, $5) AND (e.created_at, e.id) < ($6, $7))
     ORDER BY p.created_at DESC, p.id DESC, e.created_at DESC, e.id DESC LIMIT $8`,
    [
      filter.workspace_id,
      filter.from ?? null,
      filter.to ?? null,
      filter.after?.payout_at ?? null,
      filter.after?.payout_id ?? null,
      filter.after?.created_at ?? null,
      filter.after?.id ?? null,
      filter.limit,
    ],
  );

import { IsNull } from 'typeorm';
import { AccountRead, type RecoveryReason } from '../../db/entities/payments.js';
import { newId } from '../../db/ids.js';
import { insertIfAbsent } from '../../db/insert.js';
import { NOW } from '../../db/database-time.js';
import { affected, column, execute, many } from '../../db/query.js';
import type { Tx } from '../../db/transaction.js';
import { enqueueMail } from '../mail/mails.js';
import { audit } from '../audit-log/audit.js';

/** How long a taken account is left alone by other jobs: longer than reading it may take. */
const TAKEN_MINUTES = 15;
/**
 * The pause after a read. Accounts where money is expected are read hourly, by a job that runs every 5
 * minutes.
 */
const PAUSE_MINUTES = 50;
const FIRST_RETRY_MINUTES = 5;
const LAST_RETRY_MINUTES = 60;

/** Begins to read the events of an account that a workspace has got. */
export async function addAccountRead(tx: Tx, workspace_id: string, account_id: string): Promise<void> {
  await insertIfAbsent(tx, AccountRead, { account_id, workspace_id, read_until: NOW, next_read_at: NOW });
}

/**
 * Takes up to `limit` accounts that are due, for some minutes; those that are recovering first. An account
 * with a live booking, an open invoice or a pending refund is due an hour after its last read, any other
 * account after a day. If a read failed, the account is due after a pause that grows.
 */
export function takeAccountsToRead(tx: Tx, limit: number): Promise<string[]> {
  return column<string>(
    tx,
    // Each part of the first query reads a partial index of live rows, not of all rows that ever existed.
    `WITH expecting AS (
       SELECT workspace_id FROM bookings WHERE status = 'pending_payment'
       UNION SELECT workspace_id FROM bookings WHERE status = 'confirmed'
       UNION SELECT workspace_id FROM invoices WHERE status IN ('open', 'authorised')
       UNION SELECT workspace_id FROM payments WHERE kind = 'refund' AND status = 'pending'
     ), due AS (
       SELECT r.account_id FROM account_reads r
       WHERE r.next_read_at <= now() AND (
         r.recovering_since IS NOT NULL OR r.failures > 0
         OR r.last_read_at IS NULL OR r.last_read_at <= now() - interval '23 hours 50 minutes'
         OR r.workspace_id IN (SELECT workspace_id FROM expecting))
       ORDER BY r.recovering_since IS NULL, r.next_read_at LIMIT $1 FOR UPDATE SKIP LOCKED
     ), taken AS (
       UPDATE account_reads SET next_read_at = now() + make_interval(mins => $2)
       WHERE account_id IN (SELECT account_id FROM due) RETURNING account_id, recovering_since
     )
     SELECT account_id FROM taken ORDER BY recovering_since IS NULL, account_id`,
    [limit, TAKEN_MINUTES],
  );
}

/** Takes the accounts of a workspace for some minutes, whether due or not, even while a job reads them. */
export function takeWorkspaceAccounts(tx: Tx, workspaceId: string): Promise<string[]> {
  return column<string>(
    tx,
    `UPDATE account_reads SET next_read_at = now() + make_interval(mins => $2) WHERE workspace_id = $1
     RETURNING account_id`,
    [workspaceId, TAKEN_MINUTES],
  );
}

/**
 * The row of an account when a read of it began. If more facts are found to be lost after that, the next read
 * fetches them.
 */
type BegunRead = Pick<AccountRead, 'account_id' | 'lost_until'>;

/** Records that an account has been read up to a time, but not to the end. */
export function recordReadUntil(tx: Tx, { account_id, lost_until }: BegunRead, until: Date): Promise<void> {
  return execute(
    tx,
    `UPDATE account_reads SET read_until = greatest(read_until, $2::timestamptz) WHERE account_id = $1
      AND lost_until IS NOT DISTINCT FROM $3::timestamptz`,
    [account_id, until, lost_until],
  );
}

/** Records that the numbers that others have seen are known, so that documents get numbers again. */
export async function recordNumbersKnown(tx: Tx, { account_id, lost_until }: BegunRead): Promise<void> {
  const row = { account_id, lost_until: lost_until ?? IsNull() };
  await tx.update(AccountRead, row, { numbers_unknown: false });
}

/**
 * Records that an account has been read to the end, so it has recovered. Returns false if more facts were
 * found to be lost since the read began.
 */
export async function recordAccountRead(
  tx: Tx,
  { account_id, lost_until }: BegunRead,
  until: Date,
): Promise<boolean> {
  const read = await affected(
    tx,
    `UPDATE account_reads
      SET read_until = greatest(read_until, $2::timestamptz), last_read_at = now(), failures = 0,
       next_read_at = now() + make_interval(mins => $4), recovering_since = NULL
     WHERE account_id = $1 AND lost_until IS NOT DISTINCT FROM $3::timestamptz`,
    [account_id, until, lost_until, PAUSE_MINUTES],
  );
  return read > 0;
}

/** Records that the accounting documents of a workspace without an account have been read. */
export async function recordBooksRead(tx: Tx, { account_id, lost_until }: BegunRead): Promise<void> {
  await tx.delete(AccountRead, { account_id, lost_until: lost_until ?? IsNull() });
}

/**
 * Stores in a workspace's audit log that the database was behind, and enqueues mail to the owner, once for
 * each time. Returns the time and the reason; null if this was already announced.
 */
export async function announceRecovery(
  tx: Tx,
  workspace_id: string,
): Promise<{ since: Date; reason: RecoveryReason } | null> {
  const [told] = await many<{ since: Date; reason: RecoveryReason }>(
    tx,
    `WITH untold AS (
       SELECT account_id, recovering_since, untold FROM account_reads
       WHERE workspace_id = $1 AND untold IS NOT NULL ORDER BY account_id FOR UPDATE
     ), told AS (
       UPDATE account_reads r SET untold = NULL FROM untold u WHERE r.account_id = u.account_id
     )
     SELECT recovering_since AS since, untold AS reason FROM untold WHERE recovering_since IS NOT NULL
     ORDER BY recovering_since`,
    [workspace_id],
  );
  if (!told) return null;
  const since = told.since.toISOString();
  const entry = { action: 'database.behind', object: workspace_id, details: { since, reason: told.reason } };
  await audit(tx, { workspace_id, system: 'recovery' }, entry);
  const about = [workspace_id, since, newId('evt')].join('/');
  await enqueueMail(tx, { workspace_id, kind: 'database_behind', about });
  return told;
}

/** Records that an account is disconnected: no money can move there, so payments do not have to be paused. */
export async function recordUnusableAccount(tx: Tx, account_id: string): Promise<void> {
  await tx.update(AccountRead, { account_id }, { recovering_since: null });
}

/**
 * Records that an account could not be read. It is tried again after a pause that grows, unless money waits
 * for it.
 */
export function recordFailedRead(tx: Tx, accountId: string): Promise<void> {
  return execute(
    tx,
    `UPDATE account_reads SET failures = failures + 1,
       next_read_at = now() + make_interval(
         mins => least($2 * 2 ^ least(failures, 10), CASE WHEN recovering_since IS NULL THEN $3
           ELSE $2 END)::integer)
     WHERE account_id = $1`,
    [accountId, FIRST_RETRY_MINUTES, LAST_RETRY_MINUTES],
  );
}

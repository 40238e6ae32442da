import type { RecoveryReason } from '../../db/entities/payments.js';
import { affected, execute, maybeOne, one } from '../../db/query.js';
import type { Tx } from '../../db/transaction.js';
import { HOUR_MS, MINUTE_MS } from '../../domain/durations.js';

/**
 * An event counts as handled once a run has been notified of it. If the runs are lost too, the events of the
 * last hour are read and handled again, which does no harm.
 */
const RUNS_LOST_MS = HOUR_MS;
/** If the runs are not lost, one may still have been storing what it was notified of. */
const NOTIFIED_MS = 5 * MINUTE_MS;

/**
 * Pauses payments on all accounts until their facts since a time have been read. Returns how many accounts
 * are recovering.
 */
async function recoverAll(
  tx: Tx,
  since: Date,
  reason: RecoveryReason,
  { runsLost }: { runsLost: boolean },
): Promise<number> {
  const handledSince = new Date(since.getTime() - (runsLost ? RUNS_LOST_MS : NOTIFIED_MS));
  const handleAgain = `UPDATE processor_events SET handled_at = NULL WHERE handled_at > $1`;
  await execute(tx, handleAgain, [handledSince]);
  const accounts = await affected(
    tx,
    // What happened since then may be lost, so it is read again, and new requests are looked up at the
    // processor first. No money moves on an account that is known to be disconnected.
    `UPDATE account_reads r
     SET recovering_since = least(r.recovering_since, $1::timestamptz), numbers_unknown = true, untold = $2,
         read_until = least(read_until, $3::timestamptz), next_read_at = now(),
         lost_from = least(lost_from, $1::timestamptz), lost_until = now()
     WHERE account_id <> workspace_id AND NOT EXISTS (
       SELECT FROM workspaces w WHERE w.processor_account_id = r.account_id
         AND w.processor_status = 'revoked')`,
    [since, reason, handledSince],
  );
  // The accounting documents of workspaces without an account to be read.
  const books = await affected(
    tx,
    `INSERT INTO account_reads AS r (
       account_id, workspace_id, read_until, next_read_at, recovering_since, numbers_unknown, untold,
         lost_until)
     SELECT c.workspace_id, c.workspace_id, now(), now(), $1, true, $2, now() FROM accounting_connections c
     WHERE c.status = 'active' AND NOT EXISTS (
       SELECT FROM account_reads o WHERE o.workspace_id = c.workspace_id AND o.recovering_since IS NOT NULL
         AND o.account_id <> c.workspace_id)
     ON CONFLICT (account_id) DO UPDATE SET recovering_since = least(r.recovering_since, $1::timestamptz),
       numbers_unknown = true, untold = $2, next_read_at = now(), lost_until = now()`,
    [since, reason],
  );
  return accounts + books;
}

/**
 * Pauses payments since the time in RECOVER_SINCE. Each time takes effect once. Returns how many accounts are
 * recovering, or null if it has already taken effect.
 */
export async function recoverSince(tx: Tx, since: Date): Promise<number | null> {
  const known = `UPDATE recovery SET told_since = $1 WHERE told_since IS DISTINCT FROM $1`;
  return (await affected(tx, known, [since])) === 0
    ? null
    : recoverAll(tx, since, 'setting', { runsLost: true });
}

const BEAT = {
  name: 'beat',
  text: `UPDATE recovery SET beat = beat + 1, beat_at = now()
    WHERE beat >= $1 AND identity = database_identity() RETURNING beat`,
};

/** The state that is known outside of the database. */
export interface KnownBeat {
  /** The latest beat that a worker or Temporal remembers. */
  beat: number;
  /** The run that keeps the beats at Temporal; null if it is known to be the one in the database. */
  runId: string | null;
}

/** A beat, and what it has detected: how many accounts are recovering, and since when. */
export interface Beat {
  beat: number;
  behind: { since: Date; reason: RecoveryReason; accounts: number } | null;
}

/**
 * Increments the database's beat, unless the database is older than what others have seen. In that case it
 * pauses payments since the database's latest beat, and continues above the beats that others have seen
 * (docs/internals/recovery.md#paused-payments).
 */
export async function recordBeat(tx: Tx, { beat: seen, runId }: KnownBeat): Promise<Beat> {
  const next = runId === null ? await maybeOne<{ beat: number }>(tx, BEAT, [seen]) : null;
  if (next) return { beat: next.beat, behind: null };
  const last = await one<{
    beat: number;
    run_id: string | null;
    since: Date;
    is_new: boolean;
    is_other: boolean;
  }>(
    tx,
    `SELECT beat, run_id, coalesce(beat_at, now() - interval '29 days') AS since, identity IS NULL AS is_new,
            identity IS NOT NULL AND identity <> database_identity() AS is_other
     FROM recovery FOR UPDATE`,
  );
  const reason = recoveryReason(last, { beat: seen, runId });
  const runsLost = runId !== null && last.run_id !== runId;
  const accounts = reason && (await recoverAll(tx, last.since, reason, { runsLost }));
  if (last.is_other || last.is_new)
    await execute(tx, `INSERT INTO database_marks SELECT WHERE NOT EXISTS (SELECT FROM database_marks)`);
  const { beat } = await one<{ beat: number }>(
    tx,
    `UPDATE recovery SET beat = greatest(beat, $1) + 1, beat_at = now(), run_id = coalesce($2, run_id),
            identity = database_identity(), found_since = CASE WHEN $3 THEN $4 ELSE found_since END
     RETURNING beat`,
    [seen, runId, reason !== null, last.since],
  );
  return { beat, behind: reason && { since: last.since, reason, accounts: accounts! } };
}

/** Returns why a database may lack facts, by its latest beat; null if it lacks none. */
function recoveryReason(
  last: { beat: number; run_id: string | null; is_other: boolean },
  { beat, runId }: KnownBeat,
): RecoveryReason | null {
  if (last.beat < beat) return 'beat_lost';
  if (last.is_other) return 'other_database';
  // Temporal is another one than before, so it cannot tell how far the database had got.
  return runId !== null && last.run_id !== null && last.run_id !== runId ? 'unknown_run' : null;
}

/** A fact that others know and this database does not. */
export interface MissingFact {
  /**
   * When it was recorded. If facts from this time were already found to be missing, they have been read
   * since.
   */
  at: Date;
  /** The time since which other facts may be missing. */
  since: Date;
  known_to: 'processor' | 'accounting';
}

/**
 * Pauses payments on an account, or on those of a workspace, until what happened since a time has been read
 * again: one fact is missing here, so there may be more. Does nothing and returns false if that time has
 * already been handled.
 */
export async function recoverFrom(
  tx: Tx,
  of: { account_id: string } | { workspace_id: string },
  { at, since, known_to }: MissingFact,
): Promise<boolean> {
  const accountId = 'account_id' in of ? of.account_id : null;
  const workspaceId = 'workspace_id' in of ? of.workspace_id : null;
  const found = await affected(
    tx,
    `UPDATE account_reads r
     SET read_until = least(read_until, $1::timestamptz), next_read_at = now(),
         lost_from = least(lost_from, $1::timestamptz), lost_until = now(), last_read_at = NULL,
         recovering_since = CASE WHEN moves.yes THEN least(recovering_since, $1::timestamptz) END,
         numbers_unknown = true, untold = CASE WHEN moves.yes THEN $2 END
     FROM (SELECT a.account_id, NOT EXISTS (
             SELECT FROM workspaces w WHERE w.processor_account_id = a.account_id
               AND w.processor_status = 'revoked') AS yes
           FROM account_reads a WHERE a.account_id = $3 OR a.workspace_id = $5) moves
     WHERE r.account_id = moves.account_id AND NOT coalesce(lost_from <= $4 AND lost_until >= $4, false)`,
    [since, known_to, accountId, at, workspaceId],
  );
  if (accountId !== null) return found > 0;
  const books = await affected(
    tx,
    `INSERT INTO account_reads AS r (
       account_id, workspace_id, read_until, next_read_at, recovering_since, numbers_unknown, untold,
         lost_until)
     SELECT c.workspace_id, c.workspace_id, now(), now(), $1, true, $2, now() FROM accounting_connections c
     WHERE c.status = 'active'
       AND c.workspace_id = $3
       AND NOT EXISTS (SELECT FROM account_reads x WHERE x.workspace_id = $3 AND x.lost_until >= $4)
         AND NOT EXISTS (
       SELECT FROM account_reads o WHERE o.workspace_id = c.workspace_id AND o.recovering_since IS NOT NULL
         AND o.account_id <> c.workspace_id)
     ON CONFLICT (account_id) DO UPDATE SET recovering_since = least(r.recovering_since, $1::timestamptz),
       numbers_unknown = true, untold = $2, next_read_at = now(), lost_until = now()`,
    [since, known_to, workspaceId, at],
  );
  return found + books > 0;
}

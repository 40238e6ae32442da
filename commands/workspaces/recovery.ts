import type { BehindReason } from '../../db/entities/payments.js';
import { affected, execute, maybeOne, one } from '../../db/query.js';
import type { Tx } from '../../db/transaction.js';
import { HOUR_MS, MINUTE_MS } from '../../domain/durations.js';

/** SQL that is false for an account that is known to be disconnected: nothing moves there. `r`: its row. */
const CAN_MOVE = `NOT EXISTS (SELECT FROM workspaces w WHERE w.processor_account_id = r.account_id
  AND w.processor_status = 'revoked')`;

/**
 * What happened from `$1` until now may be lost: it is read again, and what is attempted is looked
 * up at the processor first.
 */
const lost = (readFrom: string): string =>
  `read_until = least(read_until, ${readFrom}), next_read_at = now(),
   lost_from = least(lost_from, $1::timestamptz), lost_until = now()`;

/**
 * Money stands still since `$1`, for the reason `$2`, and no document gets a number until
 * those given out are known.
 */
const STANDS_STILL = `recovering_since = least(r.recovering_since, $1::timestamptz),
  numbers_unknown = true, untold = $2`;

/**
 * Has the books of workspaces be read that have no account which is: `chosen` is SQL about a connection `c`.
 */
const readBooks = (chosen: string): string =>
  `INSERT INTO account_reads AS r (account_id, workspace_id, read_until, next_read_at, recovering_since,
    numbers_unknown, untold, lost_until)
   SELECT c.workspace_id, c.workspace_id, now(), now(), $1, true, $2, now() FROM accounting_connections c
   WHERE c.status = 'active' AND ${chosen} AND NOT EXISTS (
     SELECT FROM account_reads o WHERE o.workspace_id = c.workspace_id AND o.recovering_since IS NOT NULL
       AND o.account_id <> c.workspace_id)
   ON CONFLICT (account_id) DO UPDATE SET ${STANDS_STILL}, next_read_at = now(), lost_until = now()`;

/**
 * An event counts as handled once a run has been notified of it. If the runs are lost too, those of the last
 * hour before are read and handled again, which does no harm.
 */
const RUNS_LOST_MS = HOUR_MS;
/** Otherwise a run may still have been storing what it was notified of. */
const NOTIFIED_MS = 5 * MINUTE_MS;

/**
 * Makes money stand still on all accounts until their facts since a time have been read.
 * Returns how many recover.
 */
async function recoverAll(
  tx: Tx,
  since: Date,
  reason: BehindReason,
  { runsLost }: { runsLost: boolean },
): Promise<number> {
  const handledSince = new Date(since.getTime() - (runsLost ? RUNS_LOST_MS : NOTIFIED_MS));
  const handleAgain = `UPDATE processor_events SET handled_at = NULL WHERE handled_at > $1`;
  await execute(tx, handleAgain, [handledSince]);
  const accounts = await affected(
    tx,
    `UPDATE account_reads r SET ${STANDS_STILL}, ${lost('$3::timestamptz')}
      WHERE account_id <> workspace_id AND ${CAN_MOVE}`,
    [since, reason, handledSince],
  );
  return accounts + (await affected(tx, readBooks('true'), [since, reason]));
}

/**
 * Makes money stand still since the time in RECOVER_SINCE. Each time takes effect once: returns how many
 * accounts recover, or null if it has taken effect before.
 */
export async function recoverSince(tx: Tx, since: Date): Promise<number | null> {
  const known = `UPDATE recovery SET told_since = $1 WHERE told_since IS DISTINCT FROM $1`;
  return (await affected(tx, known, [since])) === 0
    ? null
    : recoverAll(tx, since, 'setting', { runsLost: true });
}

/** The last beat, as `lost_since()` has it; for a database without one, a month ago. */
const LAST_BEAT = `coalesce(beat_at, now() - interval '29 days')`;

const BEAT = {
  name: 'beat',
  text: `UPDATE recovery SET beat = beat + 1, beat_at = now()
    WHERE beat >= $1 AND identity = database_identity() RETURNING beat`,
};

/** What is known outside of the database. */
export interface Witness {
  /** The last beat that a worker or Temporal remembers. */
  beat: number;
  /** The run that keeps the beats at Temporal; null if it is known to be the one that the database knows. */
  runId: string | null;
}

/** A beat, and what it has noticed: how many accounts recover since when. */
export interface Beat {
  beat: number;
  behind: { since: Date; reason: BehindReason; accounts: number } | null;
}

/**
 * Counts up the database's beat, unless the database is an older one than others have seen: then makes money
 * stand still since its last beat, and continues above what they have seen
 * (docs/recovery.md#money-stands-still).
 */
export async function recordBeat(tx: Tx, { beat: seen, runId }: Witness): Promise<Beat> {
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
    `SELECT beat, run_id, ${LAST_BEAT} AS since, identity IS NULL AS is_new,
            identity IS NOT NULL AND identity <> database_identity() AS is_other
     FROM recovery FOR UPDATE`,
  );
  const reason = whyBehind(last, { beat: seen, runId });
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

/** Why a database may lack facts, by its last beat; null if it lacks none. */
function whyBehind(
  last: { beat: number; run_id: string | null; is_other: boolean },
  { beat, runId }: Witness,
): BehindReason | null {
  if (last.beat < beat) return 'beat_lost';
  if (last.is_other) return 'other_database';
  // Temporal is another one than before, so it cannot say how far the database was.
  return runId !== null && last.run_id !== null && last.run_id !== runId ? 'unknown_run' : null;
}

/** A fact that others know and this database does not. */
export interface MissingFact {
  /** When it was recorded: what was found to be missing at a time has been looked at from then on. */
  at: Date;
  /** Since when others may be missing. */
  since: Date;
  known_to: 'processor' | 'accounting';
}

/**
 * Makes money stand still on an account, or on those of a workspace, until what happened since a time has
 * been read again: one fact is missing here, so more may be. Does nothing if that time was looked at before.
 * Returns whether it was not.
 */
export async function recoverFrom(
  tx: Tx,
  of: { account_id: string } | { workspace_id: string },
  { at, since, known_to }: MissingFact,
): Promise<boolean> {
  const [column, id] = 'account_id' in of ? ['account_id', of.account_id] : ['workspace_id', of.workspace_id];
  const isLookedAt = `coalesce(lost_from <= $4 AND lost_until >= $4, false)`;
  const reread = `UPDATE account_reads r SET ${lost('$1::timestamptz')}, last_read_at = NULL,
      recovering_since = CASE WHEN ${CAN_MOVE} THEN least(recovering_since, $1::timestamptz) END,
      numbers_unknown = true, untold = CASE WHEN ${CAN_MOVE} THEN $2 END
    WHERE ${column} = $3 AND NOT ${isLookedAt}`;
  const found = await affected(tx, reread, [since, known_to, id, at]);
  if ('account_id' in of) return found > 0;
  const isRead = `c.workspace_id = $3 AND NOT EXISTS (SELECT FROM account_reads x
    WHERE x.workspace_id = $3 AND x.lost_until >= $4)`;
  return found + (await affected(tx, readBooks(isRead), [since, known_to, id, at])) > 0;
}

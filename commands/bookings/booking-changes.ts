import { In } from 'typeorm';
import type { CancelRequest } from '../../domain/bookings/cancellation.js';
import type { ChangeActor, ChangeOutcome, ChangePlan, ChangeRequest } from '../../domain/bookings/change.js';
import type { DeskPaymentRequest } from '../../domain/payments/desk-payment.js';
import type { OnAuthentication } from '../../domain/bookings/pending-change.js';
import { CHANGE_TRANSITIONS, UNPAID_CHANGE_STATES } from '../../domain/states.js';
import { newId } from '../../db/ids.js';
import { execute, literals, many, maybeOne } from '../../db/query.js';
import { insertReturning, json } from '../../db/insert.js';
import { NOW } from '../../db/database-time.js';
import { StoredChange } from '../../db/entities/bookings.js';
import type { Tx } from '../../db/transaction.js';
import { ABANDONED_AFTER_SECONDS } from '../../db/queries/bookings/abandoned.js';
import type { BookingChange } from '../../db/queries/bookings/booking-change.js';

/** A change to be stored. `client`: of a manage link. */
export type NewChange = { workspace_id: string; booking_id: string; actor: ChangeActor; client?: Buffer } & (
  | { kind: 'change'; request: ChangeRequest; on_authentication: OnAuthentication }
  | { kind: 'cancel'; request: CancelRequest }
  | { kind: 'payment'; request: DeskPaymentRequest }
);

/** Stores a requested change. Returns its id, the only input of the booking's workflow. */
export async function insertChange(tx: Tx, change: NewChange): Promise<string> {
  const { id } = await insertReturning(tx, StoredChange, { ...change, id: newId('chg') });
  return id;
}

/** A change by id, locked until the transaction ends. Every decision about a change takes this lock first. */
export function lockChange(tx: Tx, id: string): Promise<BookingChange | null> {
  return maybeOne<BookingChange>(tx, `SELECT * FROM booking_changes WHERE id = $1 FOR NO KEY UPDATE`, [id]);
}

/** The changes of a booking whose difference is being charged or paid, locked. Locked before the booking. */
export function lockUnpaidChanges(tx: Tx, bookingId: string): Promise<BookingChange[]> {
  return many<BookingChange>(
    tx,
    `SELECT * FROM booking_changes WHERE booking_id = $1 AND state IN (${literals(UNPAID_CHANGE_STATES)})
     ORDER BY created_at, id FOR NO KEY UPDATE`,
    [bookingId],
  );
}

const NOT_IN_TIME: ChangeOutcome = {
  kind: 'refused',
  code: 'service_unavailable',
  message: 'The request was not processed in time. Nothing was changed. Try again.',
  context: {},
};

/** Withdraws an undecided change, which then never takes effect. Returns false if it was already decided. */
export async function withdrawChange(tx: Tx, id: string): Promise<boolean> {
  const { from, to } = CHANGE_TRANSITIONS.abandon;
  const refused = { state: to, outcome: json(NOT_IN_TIME), request: null, client: null, finished_at: NOW };
  const { affected } = await tx.update(StoredChange, { id, state: In(from) }, refused);
  return affected! > 0;
}

/**
 * Withdraws undecided changes that no request waits for any more: the API process that stored them has died.
 */
export async function withdrawAbandonedChanges(tx: Tx, workspaceId: string | undefined): Promise<void> {
  const { from, to } = CHANGE_TRANSITIONS.abandon;
  await execute(
    tx,
    `UPDATE booking_changes SET state = '${to}', outcome = $2, request = NULL, client = NULL, finished_at = now()
     WHERE state IN (${literals(from)}) AND created_at < now() - interval '${ABANDONED_AFTER_SECONDS} seconds'
       AND ($1::text IS NULL OR workspace_id = $1)`,
    [workspaceId ?? null, NOT_IN_TIME],
  );
}

/** Records that a change's difference is about to be charged. */
export async function setCharging(tx: Tx, id: string, plan: ChangePlan): Promise<void> {
  const { from, to } = CHANGE_TRANSITIONS.charge;
  await tx.update(StoredChange, { id, state: In(from) }, { state: to, plan, request: null });
}

/** Finishes a change. The first outcome is final. */
export async function finishChange(tx: Tx, id: string, outcome: ChangeOutcome): Promise<void> {
  const { from, to } = CHANGE_TRANSITIONS[outcome.kind === 'done' ? 'make' : 'refuse'];
  const finished = {
    state: to,
    outcome: json(outcome),
    request: null,
    plan: null,
    client: null,
    finished_at: NOW,
  };
  await tx.update(StoredChange, { id, state: In(from) }, finished);
}

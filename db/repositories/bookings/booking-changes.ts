import type { ChangePlan } from '../../../domain/booking-change.js';
import type { ErrorCode, ErrorContext } from '../../../domain/errors.js';
import type { RefundPolicy } from '../../../domain/refund-policy.js';
import { newId } from '../../ids.js';
import type { Tx } from '../../transaction.js';

/** Who asked for a change: the member, by which key; none at the dashboard. */
export interface Actor {
  member_id: string;
  key_id: string | null;
}

/** A `PATCH` as it was asked for; times in UTC milliseconds. */
export interface ChangeAsked {
  start_at?: number;
  end_at?: number;
  room_id?: string;
  attendees?: number;
  notes?: string | null;
}

export interface CancelAsked {
  reason: string | null;
  refund_policy: RefundPolicy;
  notify_attendees: boolean;
}

/** What a change came to. A refusal is an API error as it is to be thrown. */
export type ChangeOutcome =
  | { kind: 'done'; charged_minor: number; payment_id: string | null; refund_ids: string[] }
  | { kind: 'refused'; code: ErrorCode; message: string; context: ErrorContext };

interface ChangeColumns {
  id: string;
  workspace_id: string;
  booking_id: string;
  actor: Actor;
  state: 'requested' | 'charging' | 'done' | 'refused';
  plan: ChangePlan | null;
  outcome: ChangeOutcome | null;
  created_at: Date;
}

/** A change or a cancellation that was asked for. `request` is null once it is done. */
export type BookingChange = ChangeColumns &
  ({ kind: 'change'; request: ChangeAsked | null } | { kind: 'cancel'; request: CancelAsked | null });

/** Stores what was asked for. Returns its id, which is all that the booking's run is told. */
export async function insertChange(
  tx: Tx,
  change: { workspace_id: string; booking_id: string; actor: Actor } & (
    { kind: 'change'; request: ChangeAsked } | { kind: 'cancel'; request: CancelAsked }
  ),
): Promise<string> {
  const id = newId('chg');
  await tx.query(
    `INSERT INTO booking_changes (id, workspace_id, booking_id, kind, actor, request) VALUES ($1, $2, $3, $4, $5, $6)`,
    [id, change.workspace_id, change.booking_id, change.kind, change.actor, change.request],
  );
  return id;
}

/** A change by id. */
export async function findChange(tx: Tx, id: string): Promise<BookingChange | null> {
  const rows = await tx.query(`SELECT * FROM booking_changes WHERE id = $1`, [id]);
  return rows[0] ?? null;
}

/** A change by id, locked until the transaction ends: whoever decides about it holds this first. */
export async function lockChange(tx: Tx, id: string): Promise<BookingChange | null> {
  const rows = await tx.query(`SELECT * FROM booking_changes WHERE id = $1 FOR NO KEY UPDATE`, [id]);
  return rows[0] ?? null;
}

/** Takes a change back about which nothing has been decided yet: it is never made. False for one that has begun. */
export async function withdrawChange(tx: Tx, id: string): Promise<boolean> {
  const outcome: ChangeOutcome = {
    kind: 'refused',
    code: 'service_unavailable',
    message: 'The booking engine did not answer in time. Nothing was changed; try again.',
    context: {},
  };
  const [, withdrawn]: [unknown, number] = await tx.query(
    `UPDATE booking_changes SET state = 'refused', outcome = $2, request = NULL, finished_at = now()
     WHERE id = $1 AND state = 'requested'`,
    [id, outcome],
  );
  return withdrawn > 0;
}

/** The changes of a booking whose difference was being charged when its run was lost. */
export async function findChargingChanges(tx: Tx, bookingId: string): Promise<string[]> {
  const rows: { id: string }[] = await tx.query(
    `SELECT id FROM booking_changes WHERE booking_id = $1 AND state = 'charging' ORDER BY created_at, id`,
    [bookingId],
  );
  return rows.map((row) => row.id);
}

/** Notes that a change's difference is about to be charged. */
export async function setCharging(tx: Tx, id: string, plan: ChangePlan): Promise<void> {
  await tx.query(`UPDATE booking_changes SET state = 'charging', plan = $2, request = NULL WHERE id = $1`, [
    id,
    plan,
  ]);
}

/** Ends a change. The first outcome stands. */
export async function finishChange(tx: Tx, id: string, outcome: ChangeOutcome): Promise<void> {
  await tx.query(
    `UPDATE booking_changes SET state = $2, outcome = $3, request = NULL, plan = NULL, finished_at = now()
     WHERE id = $1 AND state IN ('requested', 'charging')`,
    [id, outcome.kind, outcome],
  );
}

/** The refunds that a booking's cancellation began, in their order. */
export async function findCancellationRefunds(tx: Tx, bookingId: string): Promise<string[]> {
  const rows: { outcome: ChangeOutcome & { kind: 'done' } }[] = await tx.query(
    `SELECT outcome FROM booking_changes
     WHERE booking_id = $1 AND kind = 'cancel' AND state = 'done' ORDER BY finished_at, id`,
    [bookingId],
  );
  return rows.flatMap((row) => row.outcome.refund_ids);
}

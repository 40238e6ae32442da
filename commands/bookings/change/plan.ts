import { type DataSource, In } from 'typeorm';
import type { CancelRequest } from '../../../domain/bookings/cancellation.js';
import {
  type ChangeActor,
  type ChangeOutcome,
  type ChangePlan,
  type ChangeRequest,
  changesPlace,
  type Move,
  planChange,
  refundCapAfter,
} from '../../../domain/bookings/change.js';
import type { DeskPaymentRequest } from '../../../domain/payments/desk-payment.js';
import {
  type OnAuthentication,
  paymentOfDifference,
  whyNotAnotherChange,
} from '../../../domain/bookings/pending-change.js';
import { CHANGE_TRANSITIONS } from '../../../domain/states.js';
import { isId, newId } from '../../../db/ids.js';
import { execute, many, maybeOne, one } from '../../../db/query.js';
import { insertReturning, json } from '../../../db/insert.js';
import { NOW } from '../../../db/database-time.js';
import { StoredChange } from '../../../db/entities/bookings.js';
import { transaction, type Tx } from '../../../db/transaction.js';
import { ABANDONED_AFTER_SECONDS } from '../../../db/queries/bookings/abandoned.js';
import {
  type BookingChange,
  findChange,
  findUnsettledChange,
} from '../../../db/queries/bookings/booking-change.js';
import type { RateTable } from '../../../domain/rates/booking-price.js';
import { ApiError, refuse } from '../../../domain/errors.js';
import type { TaxCode, Tier } from '../../../domain/rates/price.js';
import type { PlannedRefund } from '../../../domain/payments/refund-parts.js';
import { isUnpaidOnAccount } from '../../../domain/bookings/money.js';
import { byHandMinor } from '../../../domain/bookings/refund-policy.js';
import {
  limitedRefund,
  type LineRefund,
  refundOfDifference,
} from '../../../domain/bookings/refund-shares.js';
import { type Room, RoomRates } from '../../../db/entities/rooms.js';
import { findCreditable } from '../../../db/queries/invoices/creditable.js';
import { findBookingMoney } from '../../../db/queries/bookings/money.js';
import type { BookingRow } from '../../../db/queries/bookings/booking.js';
import { boundBefore, type IdempotencyKey } from '../../api-keys/idempotency.js';
import { lockRefundable, type RefundablePayment } from '../../payments/refunds.js';
import { extrasIn } from '../../../domain/rates/price-lines.js';
import { lockExtras } from '../../extras/extras.js';
import { lockRooms } from '../../rooms/rooms.js';
import { lockBooking } from '../bookings.js';
import { lockUnpaidInvoice } from '../cancel-unpaid.js';
import { assertPlaceFree } from '../slots.js';

/* A change of a booking from its request to its plan: what it would cost or refund, and whether its
   place is free. See pay.ts for how its difference is paid, and apply.ts for how it is decided and made. */

/** A change to be stored. `client`: for a request with a manage link. */
export type NewChange = {
  id?: string;
  workspace_id: string;
  booking_id: string;
  actor: ChangeActor;
  client?: Buffer;
} & (
  | { kind: 'change'; request: ChangeRequest; on_authentication: OnAuthentication }
  | { kind: 'cancel'; request: CancelRequest }
  | { kind: 'payment'; request: DeskPaymentRequest }
);

/** Stores a requested change. Returns its id, the only input of the booking's workflow. */
export async function insertChange(tx: Tx, change: NewChange): Promise<string> {
  const { id } = await insertReturning(tx, StoredChange, { ...change, id: change.id ?? newId('chg') });
  return id;
}

/**
 * Returns whether a request about a booking came to nothing, so that its key is free: it was refused without
 * having waited for a payment, or the database has lost it.
 */
export async function wasRefused(tx: Tx, id: string): Promise<boolean> {
  // A key may be bound to the booking itself.
  if (!isId('chg', id)) return false;
  const change = await findChange(tx, id);
  return !change || (change.state === 'refused' && !change.expires_at);
}

/**
 * Stores a request about a booking once per key. Returns its id; for a repeat, the id of the first request,
 * which may already be decided. Errors: 409 `idempotency_conflict`.
 */
export const insertChangeOnce = async (
  db: DataSource,
  change: NewChange,
  idempotency: IdempotencyKey | null,
): Promise<string> =>
  idempotency
    ? transaction(db, async (tx) => {
        const id = newId('chg');
        const before = await boundBefore(tx, change.workspace_id, idempotency, id, wasRefused);
        return before ?? insertChange(tx, { ...change, id });
      })
    : insertChange(db.manager, change);

/**
 * Returns a change, locked until the transaction ends. Every decision about a change takes this lock first.
 */
export function lockChange(tx: Tx, id: string): Promise<BookingChange | null> {
  return maybeOne<BookingChange>(tx, `SELECT * FROM booking_changes WHERE id = $1 FOR NO KEY UPDATE`, [id]);
}

/**
 * Returns the changes of a booking whose difference is being charged or paid, locked. Lock them before the
 * booking.
 */
export function lockUnpaidChanges(tx: Tx, bookingId: string): Promise<BookingChange[]> {
  return many<BookingChange>(
    tx,
    `SELECT * FROM booking_changes WHERE booking_id = $1 AND state IN ('charging', 'opening', 'pending')
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
 * Withdraws undecided changes for which no request waits any more, because the API process that stored them
 * has died.
 */
export async function withdrawAbandonedChanges(tx: Tx, workspaceId: string | undefined): Promise<void> {
  await execute(
    tx,
    `UPDATE booking_changes
      SET state = 'refused', outcome = $2, request = NULL, client = NULL, finished_at = now()
     WHERE state = 'requested' AND created_at < now() - make_interval(secs => $3)
       AND ($1::text IS NULL OR workspace_id = $1)`,
    [workspaceId ?? null, NOT_IN_TIME, ABANDONED_AFTER_SECONDS],
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

const UNPAID =
  'The change affects the price, and the invoice of this booking on account is unpaid. Pay the ' +
  'invoice first, or cancel the booking and create a new one.';

/**
 * The facts that a change and its price depend on, and whether payments are possible on the workspace's
 * account.
 */
interface ChangeFacts {
  /** The end of the turnaround that the booking was booked with. */
  occupied_until: Date;
  /** The tier of the member who booked; null for a guest. */
  tier: Tier | null;
  tax_codes: TaxCode[];
  recovering_since: Date | null;
}

/** A change as it would be made now. Its booking and room are locked. */
interface PlannedChange {
  booking: BookingRow;
  account: Pick<ChangeFacts, 'recovering_since'>;
  to: Room;
  plan: ChangePlan;
  payment: ReturnType<typeof paymentOfDifference>;
  /** Null if nothing is refunded; minor units. */
  refund: ({ refundable: RefundablePayment[]; by_hand_minor: number } & LineRefund) | null;
}

/** Plans a change of a booking. Errors: those of `startChange` in apply.ts. */
export async function prepareChange(
  tx: Tx,
  { workspace_id, booking_id, request }: { workspace_id: string; booking_id: string; request: ChangeRequest },
  onAuthentication: OnAuthentication,
): Promise<PlannedChange> {
  const booking = (await lockBooking(tx, booking_id))!;
  refuse(whyNotAnotherChange(await findUnsettledChange(tx, booking.id)));
  const toId = request.room_id ?? booking.room_id;
  const rooms = await lockRooms(tx, workspace_id, [booking.room_id, toId]);
  const from = rooms.get(booking.room_id)!;
  const to = rooms.get(toId);
  if (!to) throw new ApiError('room_not_found', 'No such room.', { param: 'room_id' });
  const { tier, tax_codes, occupied_until, ...account } = await findChangeFacts(tx, booking.id);
  const table = toId === booking.room_id ? await findTable(tx, booking) : null;
  const extraIds = [...extrasIn(booking), ...(request.extras ?? [])].map(({ extra_id }) => extra_id);
  const extras = extraIds.length > 0 ? await lockExtras(tx, workspace_id, extraIds) : [];
  const changed = { ...booking, occupied_until };
  const plan = planChange(changed, { from, to, table, extras }, { tier }, tax_codes, request, Date.now());
  if (plan.move && plan.move.difference.total_minor !== 0 && (await lockUnpaidInvoice(tx, booking)))
    throw new ApiError('booking_not_editable', UNPAID);
  if (plan.move) await assertPlaceFree(tx, booking, plan.move);
  const payment = paymentOfDifference(plan.move?.difference.total_minor ?? 0, {
    isTaken: request.taken !== undefined,
    hasCard: booking.processor_payment_intent_id !== null && !request.pay_by_link,
    onAuthentication,
  });
  const refund = plan.move && (await planDifference(tx, booking, from, plan.move));
  return { booking, account, to, plan, payment, refund };
}

/** What a change would cost or refund now; minor units. */
export interface ChangePreview extends PlannedRefund {
  /** For a cheaper change, what banks withdrew and therefore cannot be refunded. Minor units. */
  disputed_minor: number;
  price_minor: number;
  charge_minor: number;
  plan: ChangePlan;
  /** How the difference is paid if the payer should get a link where only they can pay. */
  payment: ReturnType<typeof paymentOfDifference>;
  to: Room;
  /** The booking is on account, and nothing has been paid. */
  is_unpaid: boolean;
  /**
   * The share, in percent, that a later cancellation refunds at most of what has been paid, or is due; 100 if
   * the time and room stay.
   */
  later_percent: number;
}

/** Returns what a planned change charges and refunds; minor units. */
export const changeDifference = ({ plan, refund }: PlannedChange) => ({
  charge_minor: Math.max(0, plan.move?.difference.total_minor ?? 0),
  refund_minor: refund?.amount_minor ?? 0,
  by_hand_minor: refund?.by_hand_minor ?? 0,
});

/** Plans a change without making it. Errors: those of `startChange` in apply.ts. */
export const previewChange = (
  db: DataSource,
  change: { workspace_id: string; booking_id: string; request: ChangeRequest },
): Promise<ChangePreview> =>
  transaction(db, async (tx) => {
    const planned = await prepareChange(tx, change, 'link');
    const { booking, plan, payment, to } = planned;
    const price_minor = plan.move?.price.total_minor ?? booking.price_minor;
    const isCheaper = planned.refund !== null;
    const money = await findBookingMoney(tx, booking.id);
    const disputed_minor = isCheaper ? money.paid.disputed_minor : 0;
    const is_unpaid = isUnpaidOnAccount(money);
    const isLimited = plan.move && changesPlace(booking, plan.move) && booking.price_minor > 0;
    return {
      price_minor,
      ...changeDifference(planned),
      disputed_minor,
      plan,
      payment,
      to,
      is_unpaid,
      later_percent: isLimited ? refundCapAfter(booking, plan.move) : 100,
    };
  });

function findChangeFacts(tx: Tx, bookingId: string): Promise<ChangeFacts> {
  return one<ChangeFacts>(
    tx,
    `SELECT upper(b.occupies) AS occupied_until, w.tax_codes, m.tier,
      recovering_since(w.id) AS recovering_since
     FROM bookings b JOIN workspaces w ON w.id = b.workspace_id LEFT JOIN members m ON m.id = b.member_id
     WHERE b.id = $1`,
    [bookingId],
  );
}

/**
 * Returns the rates that priced a booking and price its changes in the same room; null for the hourly price.
 */
async function findTable(tx: Tx, { workspace_id, room_id, pricing }: BookingRow): Promise<RateTable | null> {
  if (!pricing || pricing.version === null) return null;
  const { version, audience } = pricing;
  const { rates } = await tx.findOneByOrFail(RoomRates, { workspace_id, room_id, version });
  return { room_id, version, audience, rates };
}

/** Returns the refund of a cheaper change; null if it is not cheaper. */
async function planDifference(
  tx: Tx,
  booking: BookingRow,
  { refund_steps }: Room,
  move: Move,
): Promise<PlannedChange['refund']> {
  if (move.difference.total_minor >= 0) return null;
  const refundable = await lockRefundable(tx, { booking_id: booking.id }, 'change');
  const left = await findCreditable(tx, booking.id);
  const { price, rate, tax_code, pricing = null } = move;
  const after = {
    price_minor: price.total_minor,
    net_minor: price.net_minor,
    tax_minor: price.tax_minor,
    tax_code,
    tax_rate_bps: rate.tax_rate_bps,
    pricing,
  };
  const due = refundOfDifference(booking, after, refund_steps, Date.now());
  const refund = limitedRefund(due, { left, refundable }, booking.currency);
  return { refundable, ...refund, by_hand_minor: byHandMinor(refundable, refund.amount_minor) };
}

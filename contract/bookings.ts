import { TypedSearchAttributes } from '@temporalio/common';
import { defineSignal, defineUpdate } from '@temporalio/workflow';
import type { ChangeActor } from '../domain/bookings/change.js';
import { describeBooking } from '../domain/bookings/words.js';
import type { CreateOutcome } from './payments/checkouts.js';
import { workflowIds } from './names.js';
import { CHECKOUT_TASK, type Start } from './run.js';
import { searchAttributes } from './search-attributes.js';

export interface BookingInput {
  bookingId: string;
}

/**
 * Waits for the outcome of creating the booking. Sent with the start of the run, under the update id
 * `create`.
 */
export const createUpdate = defineUpdate<CreateOutcome>('create');

/**
 * A change or cancellation that is stored in Postgres. When the update returns, its outcome is stored there
 * too.
 */
export interface ChangeInput {
  changeId: string;
}

/** Changes notes, attendees, time or room. The update id is the change's id. */
export const changeUpdate = defineUpdate<void, [ChangeInput]>('change');

/** Cancels the booking. The update id is the cancellation's id. */
export const cancelUpdate = defineUpdate<void, [ChangeInput]>('cancel');

export interface TakePaymentInput extends ChangeInput {
  /** The checkout of the change whose difference was received; missing for the price of the booking. */
  checkoutId?: string;
}

/**
 * Records a payment at the desk, after closing the hosted page. Its outcome is stored like that of a change.
 * The update id is the id of the stored request.
 */
export const takePaymentUpdate = defineUpdate<void, [TakePaymentInput]>('take-payment');

export interface WithdrawInput extends ChangeInput {
  by: ChangeActor;
}

/** Withdraws a change that waits for payment. Does nothing if it was paid. */
export const withdrawUpdate = defineUpdate<void, [WithdrawInput]>('withdraw-change');

/**
 * Makes the run read its booking again, because Postgres may have lost what the run stored, for example in a
 * failover.
 */
export const rereadBooking = defineSignal('reread-booking');

interface BookingToStart {
  id: string;
  workspace_id: string;
  room_id: string;
  room_name: string;
  time_zone: string;
  start_at: Date;
  end_at: Date;
}

/** Temporal limits summaries to this many bytes. */
const SUMMARY_BYTES = 200;

/** Describes a booking in one line. The name of the room is cut off where necessary, between characters. */
function summarizeBooking(booking: BookingToStart): string {
  const bytes = (text: string): number => new TextEncoder().encode(text).length;
  const summary = describeBooking(booking);
  if (bytes(summary) <= SUMMARY_BYTES) return summary;
  const name = [...booking.room_name];
  const cut = (): string => describeBooking({ ...booking, room_name: `${name.join('')}…` });
  while (bytes(cut()) > SUMMARY_BYTES) name.pop();
  return cut();
}

export const bookingStarts = (start: Start) => ({
  booking: (booking: BookingToStart) => ({
    ...start<BookingInput>(
      workflowIds.booking(booking.id),
      { bookingId: booking.id },
      summarizeBooking(booking),
      null,
    ),
    ...CHECKOUT_TASK,
    typedSearchAttributes: new TypedSearchAttributes([
      { key: searchAttributes.bookingStatus, value: 'pending_payment' },
      { key: searchAttributes.workspace, value: booking.workspace_id },
      { key: searchAttributes.room, value: booking.room_id },
      { key: searchAttributes.slotStart, value: booking.start_at },
    ]),
  }),
});

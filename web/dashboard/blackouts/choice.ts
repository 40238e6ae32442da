import type { BookingPlan } from '../../../domain/blackouts/plan.js';
import { ApiError } from '../../../domain/errors.js';

/**
 * Encodes a decision with the amounts in its label. It is carried out with exactly these amounts, or not at
 * all.
 */
export function encodeChoice(plan: BookingPlan): string {
  if (plan.do === 'move')
    return ['move', plan.room_id, plan.start_at, plan.end_at, plan.difference_minor].join(' ');
  if (plan.do === 'cancel') return ['cancel', plan.refund_policy, plan.refund_minor].join(' ');
  return plan.do;
}

const MOVE = /^move ([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}) (\d{1,15}) (\d{1,15}) (0|-\d{1,15})$/;
const CANCEL = /^cancel (full|standard) (\d{1,15})$/;

/** Errors: 422 on `choice`. */
export function parseChoice(choice: string): BookingPlan {
  const [, room_id, start_at, end_at, difference_minor] = MOVE.exec(choice) ?? [];
  if (room_id)
    return {
      do: 'move',
      room_id,
      start_at: Number(start_at),
      end_at: Number(end_at),
      difference_minor: Number(difference_minor),
    };
  const [, refund_policy, refund_minor] = CANCEL.exec(choice) ?? [];
  if (refund_policy === 'full' || refund_policy === 'standard')
    return { do: 'cancel', refund_policy, refund_minor: Number(refund_minor) };
  if (choice === 'tell' || choice === 'keep') return { do: choice };
  throw new ApiError('validation_failed', 'Choose what happens to each booking.', { param: 'choice' });
}

import joi from 'joi';
import type { BookingRow } from '../../../db/queries/bookings/booking.js';
import { findRoom } from '../../../db/queries/rooms/room.js';
import { ApiError } from '../../../domain/errors.js';
import { sameExtras } from '../../../domain/extras/extras.js';
import { extrasIn } from '../../../domain/rates/price-lines.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import { text } from '../../../api/http/fields.js';
import { changeSchema, type ChangeBody } from '../../../api/resources/bookings/change-shape.js';
import { extraFields, extrasEntered, type EnteredExtras } from '../../ui/extras.js';
import { hiddenFields } from '../shared/api-form.js';
import { instantsOf, timeFields, type EnteredTimes } from '../shared/time-fields.js';
import { detailsForm, type EnteredDetails } from './details.js';
import { differenceFields, takenIn, takenSchema, type EnteredDifference } from './take-difference.js';

export const changeFields = {
  ...hiddenFields,
  room_id: text(64).required(),
  ...timeFields,
  ...detailsForm.fields,
  ...extraFields,
  ...differenceFields,
  pay_by_link: joi.valid('on'),
};

/**
 * The body of a `PATCH`. Only here can the card on file be left uncharged, and the difference
 * be taken in the same step.
 */
export const bodySchema = changeSchema.keys({ pay_by_link: joi.boolean(), taken: takenSchema });
export type Body = ChangeBody;

export interface ChangeForm extends EnteredDetails, EnteredExtras, EnteredTimes, EnteredDifference {
  room_id: string;
  pay_by_link?: 'on';
}

/**
 * The body of a `PATCH` with the fields that differ from the booking. What only the
 * payer can pay gets a link.
 */
export async function bodyOf(
  form: ChangeForm,
  booking: BookingRow,
  by_staff: boolean,
  { db }: ApiDependencies,
) {
  const room = /^[\da-f-]{36}$/.test(form.room_id)
    ? await findRoom(db.manager, booking.workspace_id, form.room_id)
    : null;
  if (!room) throw new ApiError('room_not_found', 'Room not found.', { param: 'room_id' });
  const { start, end } = instantsOf(form, room.time_zone);
  // A form without extras does not take them off.
  const extras = form.extra_id.length > 0 ? extrasEntered(form) : extrasIn(booking);
  const moved = start.getTime() !== booking.start_at.getTime() || end.getTime() !== booking.end_at.getTime();
  const body = {
    ...(room.id !== booking.room_id && { room_id: room.id }),
    ...(moved && { start_at: start.toISOString(), end_at: end.toISOString() }),
    ...detailsForm.changes(form, booking),
    ...(!sameExtras(extras, extrasIn(booking)) && { extras }),
  };
  if (Object.keys(body).length === 0)
    throw new ApiError('validation_failed', 'Nothing has been changed in the form.');
  const leavesCard = form.pay_by_link || (form.paid_by && form.paid_by !== 'card');
  const hasCard = booking.processor_payment_intent_id !== null;
  return {
    ...body,
    on_authentication: 'link',
    ...(hasCard && leavesCard && { pay_by_link: true }),
    ...(by_staff && { taken: takenIn(form) }),
  };
}

import joi from 'joi';
import { create } from '../../../api/resources/blackouts/handlers.js';
import { remove } from '../../../api/resources/blackouts/handlers.js';
import { createSchema } from '../../../api/resources/blackouts/shape.js';
import { text } from '../../../api/http/fields.js';
import { roomOf } from '../../../api/resources/rooms/handlers.js';
import { apiForm, hiddenFields } from '../shared/api-form.js';
import { textFields } from '../shared/declared-fields.js';
import { instantIn } from '../shared/local-time.js';
import type { FormRoute } from '../shared/section.js';
import { toRoom } from './room-change.js';

interface BlackoutForm {
  start_at: string;
  end_at: string;
  reason?: string;
  force?: 'on';
}

/** The notice after a blackout was created over some bookings, or none. */
export const blackoutAdded = ({ booking_ids: { length } }: { booking_ids: string[] }): string =>
  length === 0
    ? 'Blackout added.'
    : `Blackout added. ${length === 1 ? 'One overlapping booking is kept' : `${length} overlapping bookings are kept`}.`;

const createForm = apiForm<BlackoutForm, { booking_ids: string[] }>({
  handler: create,
  schema: createSchema,
  async body({ start_at, end_at, reason, force }, ctx, deps) {
    const { time_zone } = await roomOf(ctx, deps);
    return {
      start_at: instantIn(start_at, time_zone, 'start_at').toISOString(),
      end_at: instantIn(end_at, time_zone, 'end_at').toISOString(),
      reason: reason || null,
      force: force === 'on',
    };
  },
  notice: blackoutAdded,
  to: toRoom,
});

const removeForm = apiForm({ handler: remove, notice: () => 'Blackout removed.', to: toRoom });

/** The forms of a room's blackouts. */
export const blackoutForms: FormRoute[] = [
  [
    '/blackouts',
    {
      ...hiddenFields,
      start_at: text(30).required(),
      end_at: text(30).required(),
      ...textFields(createSchema, 'reason'),
      force: joi.valid('on'),
    },
    createForm,
  ],
  ['/blackouts/:blackout_id/delete', hiddenFields, removeForm],
];

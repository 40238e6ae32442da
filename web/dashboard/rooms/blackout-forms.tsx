import joi from 'joi';
import type { Room } from '../../../db/entities/rooms.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext } from '../../../api/http/context.js';
import { create, remove } from '../../../api/resources/blackouts/handlers.js';
import { createSchema } from '../../../api/resources/blackouts/shape.js';
import { text } from '../../../api/http/fields.js';
import { roomOf } from '../../../api/resources/rooms/handlers.js';
import { apiForm, hiddenFields } from '../shared/api-form.js';
import { inputOf, textFields } from '../shared/declared-fields.js';
import { Choice, TextField } from '../shared/fields.js';
import { instantIn } from '../shared/local-time.js';
import type { FormRoute } from '../shared/section.js';
import { toRoom } from './room-change.js';

interface BlackoutForm {
  room_id?: string;
  start_at: string;
  end_at: string;
  reason?: string;
  force?: 'on';
}

/** The notice after a blackout was created over some bookings, or none. */
const added = ({ booking_ids: { length } }: { booking_ids: string[] }): string =>
  length === 0
    ? 'Blackout added.'
    : `Blackout added. ${length === 1 ? 'One overlapping booking is kept' : `${length} overlapping bookings are kept`}.`;

export const blackoutFields = {
  ...hiddenFields,
  start_at: text(30).required(),
  end_at: text(30).required(),
  ...textFields(createSchema, 'reason'),
  force: joi.valid('on'),
};

/**
 * Closes a room for a time like `POST /v1/rooms/{id}/blackouts`. `room` finds the room of the form; its id is the path's.
 */
export const blackoutForm = (
  room: (ctx: ApiContext, deps: ApiDependencies, form: BlackoutForm) => Promise<Room>,
  to: (ctx: ApiContext) => string,
) =>
  apiForm<BlackoutForm, { booking_ids: string[] }>({
    handler: create,
    schema: createSchema,
    async body(form, ctx, deps) {
      const { id, time_zone } = await room(ctx, deps, form);
      ctx.params.id = id;
      return {
        start_at: instantIn(form.start_at, time_zone, 'start_at').toISOString(),
        end_at: instantIn(form.end_at, time_zone, 'end_at').toISOString(),
        reason: form.reason || null,
        force: form.force === 'on',
      };
    },
    notice: added,
    to,
  });

/** The inputs of a blackout: for a room's zone, or for the day that the calendar shows. */
export function BlackoutInputs({ zone, day }: { zone?: string; day?: string }) {
  return (
    <>
      <div class="grid">
        <div>
          <TextField
            name="start_at"
            label={zone ? `From (${zone})` : 'From'}
            type="datetime-local"
            required
            value={day && `${day}T09:00`}
          />
        </div>
        <div>
          <TextField
            name="end_at"
            label="Until"
            type="datetime-local"
            required
            value={day && `${day}T17:00`}
          />
        </div>
      </div>
      <TextField {...inputOf(createSchema, 'reason')} label="Reason (optional)" />
      <Choice name="force">Allow overlap with bookings (they are kept)</Choice>
    </>
  );
}

const removeForm = apiForm({ handler: remove, notice: () => 'Blackout removed.', to: toRoom });

/** The forms of a room's blackouts. */
export const blackoutForms: FormRoute[] = [
  ['/blackouts', blackoutFields, blackoutForm(roomOf, toRoom)],
  ['/blackouts/:blackout_id/delete', hiddenFields, removeForm],
];

import { createSchema } from '../../../api/resources/blackouts/shape.js';
import { text } from '../../../api/http/fields.js';
import { hiddenFields } from '../shared/api-form.js';
import { inputOf, textFields } from '../shared/declared-fields.js';
import { TextField } from '../shared/fields.js';

/** A blackout as a form has it: local times of the room. */
export interface EnteredBlackout {
  start_at: string;
  end_at: string;
  reason?: string;
}

export const blackoutFields = {
  ...hiddenFields,
  start_at: text(30).required(),
  end_at: text(30).required(),
  ...textFields(createSchema, 'reason'),
};

/** The inputs of a blackout: for a room's zone, or for the day that the calendar shows. */
export function BlackoutInputs({ day }: { day?: string }) {
  return (
    <>
      <div class="grid">
        <div>
          <TextField
            name="start_at"
            label="From"
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
      <TextField {...inputOf(createSchema, 'reason')} label="Reason, for staff (optional)" />
      <p class="soft">If bookings are in the way, you choose next what happens to them.</p>
    </>
  );
}

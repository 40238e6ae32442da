import type { Room } from '../../../db/entities/rooms.js';
import type { ApiContext } from '../../../api/http/context.js';
import { updateSchema } from '../../../api/resources/rooms/shape.js';
import { Action } from '../shared/action.js';
import { apiForm, hiddenFields, pathIn } from '../shared/api-form.js';
import { declaredForm, type Entered } from '../shared/declared-form.js';
import { roomChange } from './room-change.js';

const words = declaredForm(updateSchema, {
  name: { label: 'Name', required: true },
  description: { label: 'Description (optional)', rows: 3 },
  time_zone: { label: 'Time zone', required: true },
});

const numbers = declaredForm(updateSchema, {
  capacity: { label: 'Capacity' },
  slot_minutes: { label: 'Bookings start and end every (minutes)', required: true },
  min_minutes: { label: 'Minimum booking (minutes)' },
  max_minutes: { label: 'Maximum booking (minutes)' },
  turnaround_minutes: { label: 'Buffer after each booking (minutes)', required: true },
  edit_window_minutes: { label: 'Latest change before the start (minutes)', required: true },
});

export const detailsFields = { ...hiddenFields, ...words.fields, ...numbers.fields };

export const detailsForm = apiForm<Entered<typeof words> & Entered<typeof numbers>, { name: string }>({
  ...roomChange,
  body: (form) => ({ ...words.body(form), ...numbers.body(form) }),
  notice: ({ name }) => `${name} has been saved.`,
});

/** The form of name, capacity, lengths and times. */
export function DetailsForm({ ctx, room }: { ctx: ApiContext; room: Room }) {
  return (
    <Action
      ctx={ctx}
      action={pathIn(ctx, `/rooms/${room.id}/details`)}
      summary="Name, capacity and times"
      button="Save"
    >
      <words.Inputs of={room} />
      <numbers.Inputs of={room} grid />
    </Action>
  );
}

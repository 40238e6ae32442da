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

const appearance = declaredForm(updateSchema, {
  image_urls: { label: 'Pictures (https URLs, one in each line, the best one first)', rows: 4 },
  features: { label: 'Features (one in each line, such as Projector)', rows: 4 },
  floor: { label: 'Floor (optional)' },
  size_m2: { label: 'Size in m² (optional)' },
});

const arrival = declaredForm(updateSchema, {
  address: { label: 'Address', rows: 3 },
  directions: { label: 'Directions', rows: 3 },
  access_notes: { label: 'How to get in (door code, reception)', rows: 3 },
  reminder_hours: { label: 'Reminder email before the start (hours, empty for none)' },
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

export const appearanceFields = { ...hiddenFields, ...appearance.fields };

export const appearanceForm = apiForm<Entered<typeof appearance>, { name: string }>({
  ...roomChange,
  body: (form) => appearance.body(form),
  notice: ({ name }) => `What people see of ${name} has been saved.`,
});

/** The form of what people see before they book. */
export function AppearanceForm({ ctx, room }: { ctx: ApiContext; room: Room }) {
  return (
    <Action
      ctx={ctx}
      action={pathIn(ctx, `/rooms/${room.id}/appearance`)}
      summary="Pictures and features"
      button="Save"
    >
      <p>Everyone sees this on the booking page, before they book.</p>
      <appearance.Inputs of={room} />
    </Action>
  );
}

export const arrivalFields = { ...hiddenFields, ...arrival.fields };

export const arrivalForm = apiForm<Entered<typeof arrival>, { name: string }>({
  ...roomChange,
  body: (form) => arrival.body(form),
  notice: ({ name }) => `What bookers of ${name} are told has been saved.`,
});

/** The form of what bookers are told, and when. */
export function ArrivalForm({ ctx, room }: { ctx: ApiContext; room: Room }) {
  return (
    <Action
      ctx={ctx}
      action={pathIn(ctx, `/rooms/${room.id}/arrival`)}
      summary="Arrival and reminder"
      button="Save"
    >
      <p>
        Bookers get this with their confirmation: in the email, its calendar file and on their booking’s page.
        Nobody else sees it.
      </p>
      <arrival.Inputs of={room} />
      <p class="hint">The reminder is for bookings that are confirmed or moved from now on.</p>
    </Action>
  );
}

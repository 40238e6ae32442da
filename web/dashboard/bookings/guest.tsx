import type { BookingRow } from '../../../db/queries/bookings/booking.js';
import { whyNotCorrectGuest } from '../../../domain/bookings/guest-correction.js';
import { changeSchema } from '../../../api/resources/bookings/change-shape.js';
import { update } from '../../../api/resources/bookings/update.js';
import type { ApiContext } from '../../../api/http/context.js';
import { Action } from '../shared/action.js';
import { apiForm, hiddenFields, pathIn } from '../shared/api-form.js';
import { inputOf, textFields } from '../shared/declared-fields.js';
import { TextField } from '../shared/fields.js';
import { pathOf } from './booking-in-path.js';

const [EMAIL, NAME] = ['booked_by.guest.email', 'booked_by.guest.name'] as const;

export const guestFields = { ...hiddenFields, ...textFields(changeSchema, EMAIL, NAME) };

/** Corrects a guest like `PATCH /v1/bookings/{id}` with `booked_by.guest`. */
export const guestForm = apiForm<{ email: string; name: string }>({
  handler: update,
  schema: changeSchema,
  body: ({ email, name }) => ({ booked_by: { guest: { email, name } } }),
  notice: () =>
    'Guest saved. A new address gets an email about the booking as it is now, with new links ' +
    'and all its documents.',
  to: pathOf,
});

/**
 * The form for the address and name of a booking's guest; nothing for a member's booking or an erased guest.
 */
export function CorrectGuest({ ctx, booking }: { ctx: ApiContext; booking: BookingRow }) {
  if (whyNotCorrectGuest(booking)) return null;
  return (
    <Action
      ctx={ctx}
      action={pathIn(ctx, `${pathOf(ctx)}/guest`)}
      summary="Correct guest"
      button="Save guest"
    >
      <TextField
        {...inputOf(changeSchema, EMAIL)}
        label="Email of the guest"
        type="email"
        required
        value={booking.guest_email!}
      />
      <TextField
        {...inputOf(changeSchema, NAME)}
        label="Name of the guest"
        required
        value={booking.guest_name!}
      />
      <p class="hint">
        With another address, the links in earlier emails stop working. The new address gets an email about
        the booking as it is now, with all its documents.
      </p>
    </Action>
  );
}

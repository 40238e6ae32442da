import type { BookingRow } from '../../../db/queries/bookings/booking.js';
import { noShowInWords } from '../../../domain/bookings/no-show.js';
import type { PresentedBooking } from '../../../domain/bookings/booking-presenter.js';
import { noShow } from '../../../api/resources/bookings/no-show.js';
import { emptyBody } from '../../../api/http/fields.js';
import type { ApiContext } from '../../../api/http/context.js';
import { Action } from '../shared/action.js';
import { apiForm, pathIn } from '../shared/api-form.js';
import { pathOf } from './booking-in-path.js';

/** Marks a no-show like `POST /v1/bookings/{id}/no-show`. */
export const noShowForm = apiForm<unknown, PresentedBooking>({
  handler: noShow,
  schema: emptyBody,
  notice: ({ settle, price, tokens_used }) => {
    const on_account = settle === 'on_account';
    const money = { on_account, price_minor: price.amount_minor, hour_credits_used: tokens_used };
    return `Marked as no-show. ${noShowInWords(money)}`.trimEnd();
  },
  to: pathOf,
});

/** The form that marks a booking as a no-show. */
export function NoShowAction({ ctx, booking }: { ctx: ApiContext; booking: BookingRow }) {
  const action = pathIn(ctx, `${pathOf(ctx)}/no-show`);
  const money = noShowInWords({ ...booking, on_account: booking.account_days !== null });
  return (
    <Action ctx={ctx} action={action} summary="Mark as no-show" button="Mark as no-show" rare>
      <p class="soft">{money} This cannot be undone.</p>
    </Action>
  );
}

import { noShow } from '../../../api/resources/bookings/no-show.js';
import { emptyBody } from '../../../api/http/fields.js';
import type { ApiContext } from '../../../api/http/context.js';
import { Action } from '../shared/action.js';
import { apiForm, pathIn } from '../shared/api-form.js';
import { pathOf } from './booking-in-path.js';

/** Marks a no-show like `POST /v1/bookings/{id}/no-show`. */
export const noShowForm = apiForm({
  handler: noShow,
  schema: emptyBody,
  notice: () => 'Marked as no-show. Nothing is refunded.',
  to: pathOf,
});

/** The form that marks a booking as a no-show. */
export function NoShowAction({ ctx }: { ctx: ApiContext }) {
  const action = pathIn(ctx, `${pathOf(ctx)}/no-show`);
  return (
    <Action ctx={ctx} action={action} summary="Mark as no-show" button="Mark as no-show" rare>
      <p class="soft">Nothing is refunded. This cannot be undone.</p>
    </Action>
  );
}

import { noShow } from '../../../api/resources/bookings/no-show.js';
import { emptyBody } from '../../../api/http/fields.js';
import { apiForm } from '../shared/api-form.js';
import { pathOf } from './booking-in-path.js';

/** Marks a no-show like `POST /v1/bookings/{id}/no-show`. */
export const noShowForm = apiForm({
  handler: noShow,
  schema: emptyBody,
  notice: () => 'Marked as no-show. Nothing is refunded.',
  to: pathOf,
});

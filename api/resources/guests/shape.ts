import { anyEmail } from '../../http/fields.js';
import { object, type Infer } from '../../http/typed.js';
import * as s from '../shared/shapes.js';

/** Body of `POST /v1/guests/erase`. */
export const eraseSchema = object(
  { email: anyEmail.description('The email address that the guest booked with.') },
  'email',
).required();
export type EraseBody = Infer<typeof eraseSchema>;

/** The number of bookings from which a guest was erased. */
export const erased = s.shape({
  bookings: s.count.description('The number of bookings from which the guest was erased.'),
});

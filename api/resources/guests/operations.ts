import { eraseGuest as erase } from '../../../commands/members/erasure.js';
import { email } from '../../http/fields.js';
import { operation } from '../../http/operation.js';
import { object } from '../../http/typed.js';
import type { Resource } from '../shared/resource.js';
import * as s from '../shared/shapes.js';

export const erased = s.shape({
  bookings: s.count.description('The number of bookings from which the guest was erased.'),
});

export const eraseGuest = operation({
  route: 'POST /v1/guests/erase',
  summary: 'Erase a guest',
  id: 'eraseGuest',
  description:
    'Permanently removes the guest’s personal data from all bookings made with an email address, and ' +
    'returns the number of these bookings. A repeat returns 0.',
  scope: 'members:delete',
  capability: 'hard_delete',
  body: object(
    { email: email.description('The email address that the guest booked with.') },
    'email',
  ).required(),
  idempotent: async () => ({ bookings: 0 }),
  responses: { 200: erased },
  examples: { body: { email: 'grace@example.com' }, response: { bookings: 2 } },
  run: async ({ body }, caller, { db }) => ({ bookings: await erase(db, caller, body.email) }),
});

/** Guests, who book without being members and are stored only in their bookings. */
export const guests: Resource = { tag: 'Members', operations: [eraseGuest] };

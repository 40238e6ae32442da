import type { Operations } from '../shared/operation.js';
import { erased } from './shape.js';

export const operations: Operations = {
  'POST /v1/guests/erase': {
    summary: 'Erase a guest',
    description:
      'Permanently removes the guest’s personal data from all bookings made with an email address, and ' +
      'returns the number of these bookings. A repeat returns 0.',
    example: () => ({ bookings: 2 }),
    responses: { 200: erased },
    body: { email: 'grace@example.com' },
  },
};

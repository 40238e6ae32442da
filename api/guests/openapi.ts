import type { Operations } from '../openapi/operation.js';
import * as s from '../openapi/shapes.js';

export const guestOperations: Operations = {
  'POST /v1/guests/erase': {
    summary: 'Erase a guest',
    description: 'From all bookings made under a mail address. Answers how many those were; again, 0.',
    answers: { 200: s.shape({ bookings: s.count }) },
    body: { email: 'grace@example.com' },
  },
};

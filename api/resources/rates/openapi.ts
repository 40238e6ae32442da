import type { Operations } from '../shared/operation.js';
import { roomRates } from './shape.js';

const EVENING = {
  name: 'Evening',
  days: ['mon', 'tue', 'wed', 'thu', 'fri'],
  from: '18:00',
  to: '23:00',
  amount_minor: 4000,
  minimum_minor: 8000,
};
const MORNING = { name: 'Half day', from: '08:00', to: '12:00', unit: 'flat', amount_minor: 7000 };

const REST = {
  days: null,
  dates: null,
  audience: { kind: 'everyone', tiers: null, company_ids: null },
  unit: 'hour',
  cap_minor: null,
  day_cap_minor: null,
  minimum_minor: null,
  min_minutes: null,
  notice: null,
  closed: false,
  always: false,
  accounting_account: null,
};

const example = () => ({
  version: 1,
  rates: [
    { id: '019a3c5e-7b1d-7c44-9a52-2f6d8c1e4c01', ...REST, ...EVENING },
    { id: '019a3c5e-7b1d-7c44-9a52-2f6d8c1e4c02', ...REST, ...MORNING },
  ],
});

export const operations: Operations = {
  'GET /v1/rooms/:id/rates': {
    summary: 'Get the rates of a room',
    description:
      'Returns the list of rates and its version, which is also the ETag. Members and billing contacts do not see rates of companies.',
    example,
    responses: { 200: roomRates },
  },
  'PUT /v1/rooms/:id/rates': {
    summary: 'Replace the rates of a room',
    description:
      'Replaces the whole list under the next version. The first rate that matches a minute by the clock of the room prices it; where none matches, `price_per_hour` does. Existing bookings keep the version that priced them, also for changes in the same room. With `If-Match`, the list is only replaced if it has this version.',
    example,
    responses: { 200: roomRates },
    errors: ['version_conflict'],
    versioned: true,
    body: { rates: [EVENING, MORNING] },
  },
};

import { EXAMPLE_ROOM_ID } from '../rooms/openapi.js';
import type { Operations } from '../shared/operation.js';
import { bookingPage } from './shape.js';

const settings = {
  slug: 'harbour-house',
  enabled: true,
  room_ids: [EXAMPLE_ROOM_ID],
  embed_origins: ['https://www.harbour.example'],
  questions: [
    {
      id: 'layout',
      label: 'How should the chairs stand?',
      kind: 'choice',
      required: true,
      choices: ['In rows', 'In a circle'],
    },
  ],
  terms: { url: 'https://www.harbour.example/terms', version: '2026-05' },
  theme: { accent: '#1e5f7f', logo_url: null },
  languages: ['en'],
  guest_hold_seconds: 900,
  notice: null,
};
const page = { ...settings, url: 'https://book.example.com/book/harbour-house' };

export const operations: Operations = {
  'GET /v1/booking-page': {
    summary: 'Get the booking page',
    description:
      'Returns the settings of the page on which people book by themselves. Until it is set up, ' +
      '`slug` and `url` are null.',
    example: () => page,
    responses: { 200: bookingPage },
  },
  'PUT /v1/booking-page': {
    summary: 'Set up the booking page',
    description:
      'Replaces the settings of the page on which people book by themselves. Fields that are missing have ' +
      'their default. Another `slug` ends the previous address.',
    example: () => page,
    responses: { 200: bookingPage },
    body: settings,
  },
};

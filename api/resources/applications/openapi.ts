import { exampleInstant, examplePage } from '../shared/examples.js';
import type { Operations } from '../shared/operation.js';
import * as s from '../shared/shapes.js';
import { created, oauthClient } from './shape.js';

export const EXAMPLE_CLIENT_ID = 'client_01kba6xz3fe4r9tq5v8mhc2s1j';

const display = {
  client_id: EXAMPLE_CLIENT_ID,
  name: 'Room display',
  redirect_uris: ['https://display.example.com/callback'],
  public: false,
  created_at: exampleInstant(0, 12),
};

export const operations: Operations = {
  'GET /v1/oauth-clients': {
    summary: 'List OAuth clients',
    description: 'Returns clients by creation time, oldest first.',
    example: () => examplePage(display),
    responses: { 200: s.pageOf(oauthClient) },
  },
  'POST /v1/oauth-clients': {
    summary: 'Create an OAuth client',
    description:
      'Registers an OAuth client. `client_secret` is returned only once; it is null for a public client ' +
      'and for a repeat with the same `Idempotency-Key`. All clients must use PKCE.',
    example: () => ({ ...display, client_secret: 'hf_secret_3Vb7…' }),
    responses: { 200: created, 201: created },
    errors: ['not_found'],
    idempotent: true,
    body: { name: 'Room display', redirect_uris: ['https://display.example.com/callback'] },
  },
  'DELETE /v1/oauth-clients/:id': {
    summary: 'Delete an OAuth client',
    description: 'Deletes the client and revokes all of its grants and tokens.',
    responses: { 204: null },
  },
};

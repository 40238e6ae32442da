import {
  createOauthClient as create,
  deleteOauthClient as remove,
  listOauthClients as find,
} from '../../../commands/applications/clients.js';
import { isId } from '../../../db/ids.js';
import { isLoopback } from '../../../domain/applications/redirect-uri.js';
import { presentOauthClient } from '../../../domain/applications/presenter.js';
import { pageSchema } from '../../http/cursor.js';
import { text } from '../../http/fields.js';
import { listPage } from '../../http/list.js';
import { created, nothing, operation } from '../../http/operation.js';
import { REDIRECT_URI } from '../../http/patterns.js';
import { hashSecret, newSecret } from '../../../db/secrets.js';
import { array, boolean, object, string, withDefault } from '../../http/typed.js';
import { exampleInstant, examplePage } from '../shared/examples.js';
import { field, splitSides } from '../shared/field.js';
import { name } from '../shared/name.js';
import type { Resource } from '../shared/resource.js';
import * as s from '../shared/shapes.js';

/**
 * `com.example.app:`, as RFC 8252 recommends for native applications; no scheme that
 * browsers handle has a dot.
 */
const PRIVATE_SCHEME = /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/;

/**
 * Where a browser may be sent with a code: https, http on the loopback interface, or
 * a private-use URI scheme.
 */
const redirectUri = text(2_000)
  .meta({ json: { pattern: REDIRECT_URI } })
  .custom((value: string, helpers) => {
    const url = URL.canParse(value) ? new URL(value) : ({} as URL);
    const { protocol, hostname, username, password } = url;
    const isWeb = protocol === 'https:' || isLoopback(url);
    if (
      (isWeb || PRIVATE_SCHEME.test(protocol ?? '')) &&
      !username &&
      !password &&
      !/[#\s]/.test(value) &&
      !hostname.includes('*')
    )
      return value;
    return helpers.message({
      custom:
        '{{#label}} must be an https URL, an http URL on localhost or a URL with a private-use scheme, and ' +
        'must not have a fragment or a wildcard host',
    });
  });

const { sent, read } = splitSides({
  name: field(name, 'The name of the application, as shown on the consent page.'),
  redirect_uris: field(
    array(redirectUri).min(1).max(20).unique(),
    'The URIs to which the browser can be redirected with an authorization code. They must match exactly.',
    { read: array(string) },
  ),
  public: field(boolean, 'Whether the client has no secret.', {
    sent: 'Whether the client cannot keep a secret, such as a browser or mobile application.',
  }),
});

export const oauthClient = s.presentedBy(
  presentOauthClient,
  s.shape('OAuthClient', { client_id: s.prefixedId('client'), ...read, created_at: s.instant }),
);

export const createdClient = s.extend('CreatedOAuthClient', oauthClient, {
  client_secret: s.nullableText.description(
    'The secret. Returned only once; null for a public client and in a repeat.',
  ),
});

const display = {
  client_id: 'client_01kba6xz3fe4r9tq5v8mhc2s1j',
  name: 'Room display',
  redirect_uris: ['https://display.example.com/callback'],
  public: false,
  created_at: exampleInstant(0, 12),
};

export const listOauthClients = operation({
  route: 'GET /v1/oauth-clients',
  summary: 'List OAuth clients',
  description: 'Returns clients by creation time, oldest first.',
  scope: 'credentials:read',
  capability: 'manage_keys',
  query: pageSchema,
  responses: { 200: s.pageSchema(oauthClient) },
  examples: { response: examplePage(display) },
  run: ({ query }, { workspace_id }, { db }) =>
    listPage(query, {
      by: 'created_at',
      list: { name: 'oauth_clients', isId: (id) => isId('client', id) },
      find: (page) => find(db.manager, { workspace_id, ...page }),
      present: presentOauthClient,
    }),
});

export const createOauthClient = operation({
  route: 'POST /v1/oauth-clients',
  summary: 'Create an OAuth client',
  description:
    'Registers an OAuth client. `client_secret` is returned only once; it is null for a public client ' +
    'and for a repeat with the same `Idempotency-Key`. All clients must use PKCE.',
  scope: 'credentials:write',
  capability: 'manage_keys',
  body: object({ ...sent, public: withDefault(sent.public, false) }, 'name', 'redirect_uris').required(),
  idempotent: true,
  responses: { 200: createdClient, 201: createdClient },
  errors: ['not_found'],
  examples: {
    body: { name: display.name, redirect_uris: display.redirect_uris },
    response: { ...display, client_secret: 'hf_secret_3Vb7…' },
  },
  run({ body, idempotency }, caller, { db }) {
    const plain = newSecret();
    const secret = body.public ? null : { plain, hash: hashSecret(plain) };
    return create(db, caller, body, secret, idempotency);
  },
  reply: created,
});

export const deleteOauthClient = operation({
  route: 'DELETE /v1/oauth-clients/:id',
  summary: 'Delete an OAuth client',
  description: 'Deletes the client and revokes all of its grants and tokens.',
  scope: 'credentials:delete',
  capability: 'manage_keys',
  idempotent: nothing,
  responses: { 204: null },
  run: ({ params }, caller, { db }) => remove(db, caller, params.id),
});

/** The registered clients of the authorization server (docs/rules/credentials.md#oauth). */
export const oauthClients: Resource = {
  tag: 'Credentials',
  operations: [listOauthClients, createOauthClient, deleteOauthClient],
  ids: { 'oauth-clients': { name: 'client', example: display.client_id, notFound: 'not_found' } },
};

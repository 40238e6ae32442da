import {
  createApiKey as create,
  narrowApiKey as narrow,
  revokeAllApiKeys as revokeAll,
  revokeApiKey as revoke,
  rotateApiKey as rotate,
} from '../../../commands/api-keys/api-keys.js';
import { isId } from '../../../db/ids.js';
import { findApiKey, listApiKeys as find } from '../../../db/queries/api-keys/api-key.js';
import { DAY_MS } from '../../../domain/durations.js';
import { formatRange, parseRange } from '../../../domain/ip-range.js';
import { KEY_KINDS, SCOPES, listScopes } from '../../../domain/api-keys/key-scope.js';
import { noSuchKey } from '../../../domain/api-keys/new-key.js';
import { canUse, SCOPE_ACTIONS, SCOPE_RESOURCES } from '../../../domain/policies.js';
import { presentApiKey, presentCreatedApiKey, presentRotation } from '../../../domain/api-keys/presenter.js';
import { pageSchema } from '../../http/cursor.js';
import { emptyBody, memberId, text, timestamp, uuid } from '../../http/fields.js';
import { listPage } from '../../http/list.js';
import { created, nothing, operation } from '../../http/operation.js';
import { IP_RANGE } from '../../http/patterns.js';
import { mintToken } from '../../http/tokens.js';
import { array, nullable, number, object, oneOf, string, withDefault, type Infer } from '../../http/typed.js';
import { EXAMPLE_MEMBER_ID } from '../members/operations.js';
import { EXAMPLE_WORKSPACE_ID, exampleInstant, examplePage, exampleTime } from '../shared/examples.js';
import { field, splitSides } from '../shared/field.js';
import { origin } from '../shared/origin.js';
import type { Resource } from '../shared/resource.js';
import * as s from '../shared/shapes.js';

export const MAX_DAYS = 365;

const range = string.meta({ json: { pattern: IP_RANGE } }).custom((value: string, helpers) => {
  const parsed = parseRange(value);
  return parsed
    ? formatRange(parsed)
    : helpers.message({
        custom: '{{#label}} must be an IP range such as 192.0.2.0/24 or 2001:db8::/32',
      });
});

const expiry = timestamp.custom((value: Date, helpers) => {
  const days = (value.getTime() - Date.now()) / DAY_MS;
  return days > 0 && days <= MAX_DAYS
    ? value
    : helpers.message({ custom: `{{#label}} must be in the future, at most ${MAX_DAYS} days from now` });
});

const scope = splitSides({
  // Tokens of OAuth applications have complete scopes in responses and no actions.
  resources: field(
    array(oneOf(SCOPE_RESOURCES)).min(1).unique(),
    'The resources that the key can use; for tokens of OAuth applications, complete scopes.',
    {
      sent: 'The resources that the key can use.',
      read: array(oneOf([...SCOPE_RESOURCES, ...SCOPES])),
    },
  ),
  actions: field(
    array(oneOf(SCOPE_ACTIONS)).min(1).unique(),
    'What the key can do with these resources. Empty for tokens of OAuth applications.',
    { sent: 'What the key can do with these resources.' },
  ),
  ip_allowlist: field(
    array(range).max(100),
    'The IP ranges from which the key can be used, in CIDR notation. Empty for any address.',
    { read: array(string) },
  ),
});

const { sent, read } = splitSides({
  name: field(text(200).trim().min(1), 'The name of the key.', {
    sent: 'A name for people, such as the place where the key is used.',
  }),
  kind: field(
    oneOf(KEY_KINDS),
    '`secret` for programs, or `publishable` for websites. A publishable key is not confidential: ' +
      'guests of the site book with it.',
    {
      sent:
        '`secret` for programs, or `publishable` for websites. A publishable key is not ' +
        'confidential and can call only the operations under `/v1/public`. Defaults to `secret`.',
    },
  ),
  origins: field(
    array(origin).unique().min(1).max(20),
    'The origins of the sites that can use the key, such as `https://www.example.com`. Empty for ' +
      'secret keys.',
    {
      sent:
        'The origins of the sites that can use the key, such as `https://www.example.com`. Required ' +
        'for publishable keys, not allowed for secret keys.',
      read: array(s.anyText),
    },
  ),
  room_ids: field(
    nullable(array(uuid).unique().max(500)),
    'The rooms that can be booked with a publishable key. Null for all rooms that guests can book.',
    { read: s.orNull(array(s.anyUuid)) },
  ),
  member_id: field(
    memberId,
    'The member whose role limits the key. For a publishable key, the member who created it.',
    {
      sent: 'The member whose role limits the key. Defaults to the member of the calling key.',
      read: s.prefixedId('mem'),
    },
  ),
  expires_at: field(
    expiry,
    'The time at which the key expires. Null for publishable keys, which do not expire.',
    {
      sent: 'The time at which the key expires, at most 365 days from now. Defaults to 90 days from now.',
      read: s.nullableInstant,
    },
  ),
  scope: field(object(scope.sent), 'What the key permits.', {
    sent: 'What the key permits. Missing parts default to those of the calling key.',
    read: s.shape('KeyScope', scope.read),
  }),
});

const GRACE = '{{#label}} must be between 1/24 (one hour) and 30';

const rotation = object({
  grace_window_days: withDefault(
    number
      .min(1 / 24)
      .max(30)
      .messages({ 'number.min': GRACE, 'number.max': GRACE })
      .description('How long the previous token stays valid, in days: from 1/24 (one hour) to 30.'),
    7,
  ),
}).meta({ component: 'KeyRotation' });

const fingerprint = s.anyText.description('A shortened form of the token, as shown in the audit log.');
const key_prefix = s.anyText.description('The first characters of the token.');

export const apiKey = s.presentedBy(
  presentApiKey,
  s.shape('ApiKey', {
    id: s.prefixedId('key'),
    ...read,
    token: s.nullableText.description('The token of a publishable key. Null for secret keys.'),
    fingerprint,
    key_prefix,
    created_at: s.instant,
    last_used_at: s.nullableInstant.description('The time at which the current token was last used.'),
    revoked_at: s.nullableInstant.description('The time at which the key was revoked.'),
    previous_token: s
      .orNull(
        s.shape('PreviousToken', {
          fingerprint: s.anyText.description('A shortened form of the token.'),
          expires_at: s.instant.description('The time at which the token stops working.'),
          last_used_at: s.nullableInstant.description(
            'The time at which the token was last used, which shows whether it is still needed.',
          ),
        }),
      )
      .description('The token before the last rotation, while it is valid.'),
  }),
);

export type ApiKey = Infer<typeof apiKey>;

export const createdKey = s.presentedBy(
  presentCreatedApiKey,
  s.shape('CreatedApiKey', {
    id: s.prefixedId('key'),
    token: s.nullableText.description('The API key. A secret key is returned only once; null in a repeat.'),
    fingerprint,
    created_at: s.instant,
    expires_at: read.expires_at,
  }),
);

export const rotated = s.presentedBy(
  presentRotation,
  s.shape('RotatedApiKey', {
    id: s.prefixedId('key'),
    token: s.nullableText.description('The new API key. Returned only once; null in a repeat.'),
    fingerprint: s.anyText.description('A shortened form of the new token.'),
    rotation_id: s.prefixedId('rot').description('The id of the rotation, as in the audit log.'),
    previous_expires_at: s.instant.description('The time at which the previous token stops working.'),
    expires_at: s.instant.description('The time at which the key expires.'),
  }),
);

const EXAMPLE_KEY_ID = 'key_01kba6xz3fe4r9tq5v8mhc2s1h';

const frontDesk = {
  id: EXAMPLE_KEY_ID,
  name: 'Front desk',
  kind: 'secret',
  token: null,
  origins: [],
  room_ids: null,
  member_id: EXAMPLE_MEMBER_ID,
  fingerprint: 'hf_live_8Kd2…x9Qa',
  key_prefix: 'hf_live_8Kd2',
  created_at: exampleInstant(0, 12),
  expires_at: exampleInstant(90, 0),
  last_used_at: null,
  revoked_at: null,
  scope: { resources: ['calendar'], actions: ['read', 'write'], ip_allowlist: [] },
  previous_token: null,
};

const website = {
  ...frontDesk,
  name: 'Website',
  kind: 'publishable',
  token: 'hf_pub_5tQw…',
  origins: ['https://www.harbour.example'],
  fingerprint: 'hf_pub_5tQw…Zb1c',
  key_prefix: 'hf_pub_5tQw',
  expires_at: null,
  scope: { resources: [], actions: [], ip_allowlist: [] },
};

/** The common part of examples that contain a token. The token is not valid. */
const issued = {
  id: EXAMPLE_KEY_ID,
  token: 'hf_live_8Kd2…',
  fingerprint: frontDesk.fingerprint,
  expires_at: frontDesk.expires_at,
};

const exampleRotation = {
  ...issued,
  rotation_id: 'rot_01kba6xz3fe4r9tq5v8mhc2s1s',
  previous_expires_at: exampleInstant(7, 12),
};

export const whoami = operation({
  route: 'GET /v1/auth/whoami',
  summary: 'Identify the caller',
  id: 'getCurrentApiKey',
  description:
    'Describes the API key or access token of the request. `scopes` lists only the scopes that the ' +
    'member’s current role permits.',
  anyKey: true,
  responses: {
    200: s.shape({
      workspace_id: s.prefixedId('ws'),
      scopes: array(oneOf(SCOPES)).description(
        'The scopes of the key that its member’s current role permits.',
      ),
      key_prefix,
      created_at: s.instant,
    }),
  },
  examples: {
    response: {
      workspace_id: EXAMPLE_WORKSPACE_ID,
      scopes: ['calendar:read', 'calendar:write'],
      key_prefix: 'hf_live_8Kd2',
      created_at: exampleInstant(0, 12),
    },
  },
  run: async ({ client }, caller) => ({
    workspace_id: caller.workspace_id,
    scopes: listScopes(caller).filter((scope) => canUse(caller.role, scope)),
    key_prefix: client.token!.prefix,
    created_at: new Date(caller.key_created_at!).toISOString(),
  }),
});

export const listApiKeys = operation({
  route: 'GET /v1/api-keys',
  summary: 'List API keys',
  description:
    'Returns keys by creation time, newest first, including revoked and expired keys. Publishable ' +
    'keys include their `token`.',
  scope: 'credentials:read',
  capability: 'manage_keys',
  query: pageSchema,
  responses: { 200: s.pageSchema(apiKey) },
  examples: { response: examplePage(frontDesk) },
  run: ({ query }, { workspace_id }, { db }) =>
    listPage(query, {
      by: 'created_at',
      list: { name: 'api_keys', isId: (id) => isId('key', id) },
      find: (page) => find(db.manager, { workspace_id, ...page }),
      present: presentApiKey,
    }),
});

export const createApiKey = operation({
  route: 'POST /v1/api-keys',
  summary: 'Create an API key',
  description:
    'Creates an API key, which cannot have more rights than the calling key. By default, it has the ' +
    'scope of the calling key and expires after 90 days; the maximum is 365 days. A key for another ' +
    'member (`member_id`) stops working when you or that member is archived or deleted. It has the ' +
    'lowest of three roles: the member’s current role, your current role, and your role when you ' +
    'created it. A key with `kind: publishable` is for a website. It has `origins` and `room_ids` ' +
    'instead of a scope, does not expire, and can call only the operations under `/v1/public`. To ' +
    'create one, the calling key needs `calendar:read` and `calendar:write`. A workspace can have at ' +
    'most 100 live keys. The `token` of a secret key is returned only once: a repeat with the same ' +
    '`Idempotency-Key` returns the same key with a null `token`.',
  scope: 'credentials:write',
  capability: 'manage_keys',
  // `expires_at` has no default here: with one, a repeat would differ from the original request.
  body: object({ ...sent, scope: withDefault(sent.scope, {}) }, 'name').required(),
  idempotent: true,
  responses: { 200: createdKey, 201: createdKey },
  errors: ['member_not_found', 'too_many_keys'],
  examples: {
    body: {
      name: 'Front desk',
      scope: { resources: ['calendar'], actions: ['read', 'write'], ip_allowlist: [] },
      expires_at: exampleTime(90, 0),
    },
    response: { ...issued, created_at: frontDesk.created_at },
  },
  run: ({ body, idempotency }, caller, { db }) => create(db, caller, body, mintToken(body.kind), idempotency),
  reply: created,
});

const rotateCurrentKey = operation({
  route: 'POST /v1/api-keys/rotate',
  summary: 'Rotate the calling API key',
  id: 'rotateCurrentApiKey',
  description:
    'Rotates the key that authenticates the request. Its current token stays valid for the grace window.',
  scope: 'credentials:write',
  capability: 'manage_keys',
  body: rotation,
  form: true,
  idempotent: true,
  boundTo: ({ key_id }) => `/v1/api-keys/${key_id}/rotate`,
  responses: { 200: rotated },
  errors: ['key_not_found', 'key_not_live'],
  examples: { body: { grace_window_days: 7 }, response: exampleRotation },
  run: ({ body, idempotency }, caller, { db }) =>
    rotate(db, caller, { id: caller.key_id!, graceDays: body.grace_window_days }, mintToken(), idempotency),
});

export const revokeAllApiKeys = operation({
  route: 'POST /v1/api-keys/revoke-all',
  summary: 'Revoke all API keys',
  description: 'Revokes all keys of the workspace, including the one that authenticates the request.',
  scope: 'credentials:delete',
  capability: 'manage_keys',
  body: emptyBody,
  idempotent: async () => ({ revoked: 0 }),
  responses: {
    200: s.shape({ revoked: s.count.description('The number of keys that were revoked.') }),
  },
  examples: { body: {}, response: { revoked: 3 } },
  run: async (_, caller, { db }) => ({ revoked: await revokeAll(db, caller) }),
});

const getApiKey = operation({
  route: 'GET /v1/api-keys/:id',
  summary: 'Get an API key',
  description: 'Returns a key. A publishable key includes its `token`.',
  scope: 'credentials:read',
  capability: 'manage_keys',
  responses: { 200: apiKey },
  examples: { response: website },
  async run({ params }, { workspace_id }, { db }) {
    const key = await findApiKey(db.manager, workspace_id, params.id);
    if (!key) throw noSuchKey();
    return presentApiKey(key);
  },
});

const changeApiKey = operation({
  route: 'PATCH /v1/api-keys/:id',
  summary: 'Narrow an API key',
  description:
    'Renames a key, narrows its scope or makes it expire earlier. A scope cannot be widened, and ' +
    '`expires_at` cannot be postponed. To make another member’s key expire earlier, you need the scope ' +
    '`credentials:delete` and a role that is not below that member’s.',
  scope: 'credentials:write',
  capability: 'manage_keys',
  body: object({
    name: sent.name,
    scope: object(scope.sent).min(1).description('The narrower scope. Missing parts do not change.'),
    expires_at: sent.expires_at.description('The earlier time at which the key expires.'),
  })
    .min(1)
    .required(),
  idempotent: getApiKey.run,
  responses: { 200: apiKey },
  errors: ['key_not_live', 'scope_not_narrower'],
  examples: {
    body: { name: 'Front desk, reading', scope: { actions: ['read'] } },
    response: {
      ...frontDesk,
      name: 'Front desk, reading',
      scope: { ...frontDesk.scope, actions: ['read'] },
    },
  },
  run: ({ params, body }, caller, { db }) => narrow(db, caller, params.id, body),
});

export const rotateApiKey = operation({
  route: 'POST /v1/api-keys/:id/rotate',
  summary: 'Rotate an API key',
  description:
    'Issues a new `token` for the key. It is valid immediately and returned only once. The previous ' +
    'token stays valid for the grace window, from one hour to 30 days. A repeat with the same ' +
    '`Idempotency-Key` does not rotate again and returns a null `token`.',
  scope: 'credentials:write',
  capability: 'manage_keys',
  body: rotation,
  form: true,
  idempotent: true,
  responses: { 200: rotated },
  errors: ['key_not_live'],
  examples: { body: { grace_window_days: 1 }, response: exampleRotation },
  run: ({ params, body, idempotency }, caller, { db }) =>
    rotate(db, caller, { id: params.id, graceDays: body.grace_window_days }, mintToken(), idempotency),
});

export const revokeApiKey = operation({
  route: 'DELETE /v1/api-keys/:id',
  summary: 'Revoke an API key',
  description:
    'Revokes the key permanently; its tokens stop working within 2 seconds. Revoking a revoked ' +
    'key changes nothing.',
  scope: 'credentials:delete',
  capability: 'manage_keys',
  idempotent: nothing,
  responses: { 204: null },
  run: ({ params }, caller, { db }) => revoke(db, caller, params.id),
});

/** API keys (docs/rules/credentials.md). */
export const apiKeys: Resource = {
  tag: 'Credentials',
  operations: [
    whoami,
    listApiKeys,
    createApiKey,
    rotateCurrentKey,
    revokeAllApiKeys,
    getApiKey,
    changeApiKey,
    rotateApiKey,
    revokeApiKey,
  ],
  ids: { 'api-keys': { name: 'key', example: EXAMPLE_KEY_ID, notFound: 'key_not_found' } },
};

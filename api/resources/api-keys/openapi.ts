import { EXAMPLE_WORKSPACE_ID, exampleInstant, examplePage, exampleTime } from '../shared/examples.js';
import { EXAMPLE_MEMBER_ID } from '../members/shape.js';
import type { Operations } from '../shared/operation.js';
import * as s from '../shared/shapes.js';
import { apiKey, caller, created, revoked, rotated } from './shape.js';

export const EXAMPLE_KEY_ID = 'key_01kba6xz3fe4r9tq5v8mhc2s1h';

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
  name: 'Web site',
  kind: 'publishable',
  token: 'hf_pub_5tQw…',
  origins: ['https://www.harbour.example'],
  fingerprint: 'hf_pub_5tQw…Zb1c',
  key_prefix: 'hf_pub_5tQw',
  expires_at: null,
  scope: { resources: [], actions: [], ip_allowlist: [] },
};

/** What the responses that contain a token have in common. The token is no valid one. */
const issued = {
  id: EXAMPLE_KEY_ID,
  token: 'hf_live_8Kd2…',
  fingerprint: frontDesk.fingerprint,
  expires_at: frontDesk.expires_at,
};

const rotation = {
  ...issued,
  rotation_id: 'rot_01kba6xz3fe4r9tq5v8mhc2s1s',
  previous_expires_at: exampleInstant(7, 12),
};

export const operations: Operations = {
  'GET /v1/auth/whoami': {
    summary: 'Identify the caller',
    id: 'getCurrentKey',
    description:
      'Describes the API key or access token of the request. `scopes` lists those of its scopes that the ' +
      'member’s current role permits.',
    example: () => ({
      workspace_id: EXAMPLE_WORKSPACE_ID,
      scopes: ['calendar:read', 'calendar:write'],
      key_prefix: 'hf_live_8Kd2',
      created_at: exampleInstant(0, 12),
    }),
    responses: { 200: caller },
  },
  'GET /v1/api-keys': {
    summary: 'List API keys',
    description:
      'Returns keys by creation time, newest first, including revoked and expired keys. Publishable ' +
      'keys have their `token`.',
    example: () => examplePage(frontDesk),
    responses: { 200: s.pageOf(apiKey) },
  },
  'POST /v1/api-keys': {
    summary: 'Create an API key',
    description:
      'Creates an API key, which cannot have more rights than the calling key. By default, it has the ' +
      'scope of the calling key and expires after 90 days; the maximum is 365 days. A key for another ' +
      'member (`member_id`) ends when either of you is archived or deleted. It acts with the lowest of ' +
      'three roles: the member’s, yours now, and yours when you created it. A key with `kind: publishable` ' +
      'goes into a web site: it has `origins` and `room_ids` in place of a scope, does not expire, and ' +
      'only the operations under `/v1/public` take it; the calling key needs `calendar:read` and ' +
      '`calendar:write`. A workspace has at most 100 live keys. `token` of a secret key is returned only ' +
      'once: a repeat with the same `Idempotency-Key` returns the same key with a null `token`.',
    example: () => ({ ...issued, created_at: frontDesk.created_at }),
    responses: { 200: created, 201: created },
    errors: ['member_not_found', 'too_many_keys'],
    idempotent: true,
    body: {
      name: 'Front desk',
      scope: { resources: ['calendar'], actions: ['read', 'write'], ip_allowlist: [] },
      expires_at: exampleTime(90, 0),
    },
  },
  'POST /v1/api-keys/rotate': {
    summary: 'Rotate the calling API key',
    id: 'rotateCurrentKey',
    description:
      'Rotates the key that authenticates the request. Its current token stays valid for the grace window.',
    example: () => rotation,
    responses: { 200: rotated },
    idempotent: true,
    errors: ['key_not_found', 'key_not_live'],
    body: { grace_window_days: 7 },
  },
  'POST /v1/api-keys/revoke-all': {
    summary: 'Revoke all API keys',
    description: 'Revokes all keys of the workspace, including the one that authenticates the request.',
    example: () => ({ revoked: 3 }),
    responses: { 200: revoked },
    body: {},
  },
  'GET /v1/api-keys/:id': {
    summary: 'Get an API key',
    description: 'Returns a key; a publishable one with its `token`.',
    example: () => website,
    responses: { 200: apiKey },
  },
  'PATCH /v1/api-keys/:id': {
    summary: 'Narrow an API key',
    description:
      'Renames a key, narrows its scope or makes it expire earlier. A scope cannot be widened, and ' +
      '`expires_at` cannot be postponed. To make another member’s key expire earlier, you need the scope ' +
      '`credentials:delete` and a role that is not below that member’s.',
    example: () => ({
      ...frontDesk,
      name: 'Front desk, reading',
      scope: { ...frontDesk.scope, actions: ['read'] },
    }),
    responses: { 200: apiKey },
    errors: ['key_not_live', 'scope_not_narrower'],
    body: { name: 'Front desk, reading', scope: { actions: ['read'] } },
  },
  'POST /v1/api-keys/:id/rotate': {
    summary: 'Rotate an API key',
    description:
      'Issues a new `token` for the key. It is valid immediately and returned only once. The previous ' +
      'token stays valid for the grace window, from one hour to 30 days. A repeat with the same ' +
      '`Idempotency-Key` does not rotate again and returns a null `token`.',
    example: () => rotation,
    responses: { 200: rotated },
    idempotent: true,
    errors: ['key_not_live'],
    body: { grace_window_days: 1 },
  },
  'DELETE /v1/api-keys/:id': {
    summary: 'Revoke an API key',
    description:
      'Revokes the key permanently; its tokens stop working within 2 seconds. Revoking a revoked ' +
      'key changes nothing.',
    responses: { 204: null },
  },
};

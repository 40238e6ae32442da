import joi from 'joi';
import { SCOPES } from '../../domain/key-scope.js';
import { SCOPE_ACTIONS, SCOPE_RESOURCES } from '../../domain/policies.js';
import { exampleTime } from '../openapi/examples.js';
import type { Operations } from '../openapi/operation.js';
import * as s from '../openapi/shapes.js';

const scope = s.shape({
  // What an application has made for itself has whole scopes here, and no actions.
  resources: joi.array().items(s.oneOf([...SCOPE_RESOURCES, ...SCOPES])),
  actions: joi.array().items(s.oneOf(SCOPE_ACTIONS)),
  ip_allowlist: joi.array().items(joi.string()),
});

/** A key as `presentKey` shows it. */
export const apiKey = s.shape({
  id: s.idOf('key'),
  name: s.anyText,
  member_id: s.idOf('mem'),
  fingerprint: s.anyText,
  key_prefix: s.anyText,
  created_at: s.instant,
  expires_at: s.instant,
  last_used_at: s.nullableInstant,
  revoked_at: s.nullableInstant,
  scope,
  previous_token: s.orNull(
    s.shape({ fingerprint: s.anyText, expires_at: s.instant, last_used_at: s.nullableInstant }),
  ),
});

const minted = s.shape({
  id: s.idOf('key'),
  token: s.nullableText,
  fingerprint: s.anyText,
  created_at: s.instant,
  expires_at: s.instant,
});

const rotated = s.shape({
  id: s.idOf('key'),
  token: s.nullableText,
  fingerprint: s.anyText,
  rotation_id: s.idOf('rot'),
  previous_expires_at: s.instant,
  expires_at: s.instant,
});

export const apiKeyOperations: Operations = {
  'GET /v1/auth/whoami': {
    summary: 'Tell who is calling',
    description: '`scopes` are those of the key that the role of its member can use now.',
    answers: {
      200: s.shape({
        workspace_id: s.idOf('ws'),
        scopes: joi.array().items(s.oneOf(SCOPES)),
        key_prefix: s.anyText,
        created_at: s.instant,
      }),
    },
  },
  'GET /v1/api-keys': { summary: 'List API keys', answers: { 200: s.pageOf(apiKey) } },
  'POST /v1/api-keys': {
    summary: 'Create an API key',
    description:
      'No key makes one that may do more than itself. It lasts for 90 days unless told, and 365 at most. `token` is shown this once; a repeat under the same `Idempotency-Key` answers the same key and has null there.',
    answers: { 200: minted, 201: minted },
    errors: ['member_not_found'],
    idempotent: true,
    body: {
      name: 'Front desk',
      scope: { resources: ['calendar'], actions: ['read', 'write'], ip_allowlist: [] },
      expires_at: exampleTime(90, 0),
    },
  },
  'POST /v1/api-keys/rotate': {
    summary: 'Rotate the calling API key',
    description: 'As any other; the token that called goes on for the grace window.',
    answers: { 200: rotated },
    idempotent: true,
    errors: ['key_not_found', 'key_not_live'],
    body: { grace_window_days: 7 },
  },
  'POST /v1/api-keys/revoke-all': {
    summary: 'Revoke all API keys',
    description: 'The calling one, too.',
    answers: { 200: s.shape({ revoked: s.count }) },
    body: {},
  },
  'PATCH /v1/api-keys/:id': {
    summary: 'Narrow an API key',
    description: "A key's scope only becomes narrower, and its end earlier.",
    answers: { 200: apiKey },
    errors: ['key_not_live', 'scope_not_narrower'],
    body: { name: 'Front desk, reading', scope: { actions: ['read'] } },
  },
  'POST /v1/api-keys/:id/rotate': {
    summary: 'Rotate an API key',
    description:
      'The new `token` works at once, and is shown this once; the one before goes on for the grace window, from an hour to 30 days. A repeat under the same `Idempotency-Key` rotates nothing, and has null for the token.',
    answers: { 200: rotated },
    idempotent: true,
    errors: ['key_not_live'],
    body: { grace_window_days: 1 },
  },
  'DELETE /v1/api-keys/:id': {
    summary: 'Revoke an API key',
    description: 'For ever, within 2 seconds. Again, it answers the same.',
    answers: { 204: null },
  },
};

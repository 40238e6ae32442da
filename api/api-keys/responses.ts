import joi from 'joi';
import { SCOPES } from '../../domain/key-scope.js';
import { SCOPE_ACTIONS, SCOPE_RESOURCES } from '../../domain/policies.js';
import * as s from '../resource/shapes.js';

const scope = s.shape({
  // Tokens of OAuth applications have complete scopes here and no actions.
  resources: joi.array().items(s.oneOf([...SCOPE_RESOURCES, ...SCOPES])),
  actions: joi.array().items(s.oneOf(SCOPE_ACTIONS)),
  ip_allowlist: joi.array().items(joi.string()),
});

/** A key as `presentApiKey` returns it. */
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

/** A key as `presentCreatedApiKey` returns it. */
export const created = s.shape({
  id: s.idOf('key'),
  token: s.nullableText,
  fingerprint: s.anyText,
  created_at: s.instant,
  expires_at: s.instant,
});

/** A rotation as `presentRotation` returns it. */
export const rotated = s.shape({
  id: s.idOf('key'),
  token: s.nullableText,
  fingerprint: s.anyText,
  rotation_id: s.idOf('rot'),
  previous_expires_at: s.instant,
  expires_at: s.instant,
});

/** The number of revoked keys. */
export const revoked = s.shape({ revoked: s.count });

/** The calling key. */
export const caller = s.shape({
  workspace_id: s.idOf('ws'),
  scopes: joi.array().items(s.oneOf(SCOPES)),
  key_prefix: s.anyText,
  created_at: s.instant,
});

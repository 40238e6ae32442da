import type { KeyKind, KeyScope } from './key-scope.js';
import { iso } from '../iso.js';

/**
 * The input of `presentApiKey`. `previous_*` describe the token from before the last rotation, while it still
 * works.
 */
export interface ApiKeyFacts extends KeyScope {
  id: string;
  name: string;
  kind: KeyKind;
  public_token: string | null;
  origins: string[];
  room_ids: string[] | null;
  member_id: string;
  fingerprint: string;
  prefix: string;
  created_at: Date;
  expires_at: Date;
  last_used_at: Date | null;
  revoked_at: Date | null;
  previous_fingerprint: string | null;
  previous_expires_at: Date | null;
  previous_last_used_at: Date | null;
}

/** Returns when a key expires; null for a publishable key, which does not expire. */
const keyExpiry = ({ kind, expires_at }: Pick<ApiKeyFacts, 'kind' | 'expires_at'>): string | null =>
  kind === 'publishable' ? null : expires_at.toISOString();

/**
 * An API key as lists return it (docs/rules/credentials.md#tokens). Only a publishable key includes its
 * token.
 */
export function presentApiKey(key: ApiKeyFacts) {
  return {
    id: key.id,
    name: key.name,
    kind: key.kind,
    token: key.public_token,
    origins: key.origins,
    room_ids: key.room_ids,
    member_id: key.member_id,
    fingerprint: key.fingerprint,
    key_prefix: key.prefix,
    created_at: key.created_at.toISOString(),
    expires_at: keyExpiry(key),
    last_used_at: iso(key.last_used_at),
    revoked_at: iso(key.revoked_at),
    scope: { resources: key.resources, actions: key.actions, ip_allowlist: key.ip_allowlist },
    previous_token: key.previous_expires_at && {
      fingerprint: key.previous_fingerprint!,
      expires_at: key.previous_expires_at.toISOString(),
      last_used_at: iso(key.previous_last_used_at),
    },
  };
}

/**
 * A key as the response to its creation. `token` is the plaintext; null for a secret key if an earlier
 * response has shown it.
 */
export function presentCreatedApiKey(
  key: Pick<ApiKeyFacts, 'id' | 'kind' | 'public_token' | 'fingerprint' | 'created_at' | 'expires_at'>,
  token: string | null,
) {
  return {
    id: key.id,
    token: token ?? key.public_token,
    fingerprint: key.fingerprint,
    created_at: key.created_at.toISOString(),
    expires_at: keyExpiry(key),
  };
}

/** A rotation of a key (docs/rules/credentials.md#rotation). `token` as in `presentCreatedApiKey`. */
export function presentRotation(
  rotation: {
    key_id: string;
    rotation_id: string;
    fingerprint: string;
    previous_expires_at: Date;
    expires_at: Date;
  },
  token: string | null,
) {
  return {
    id: rotation.key_id,
    token,
    fingerprint: rotation.fingerprint,
    rotation_id: rotation.rotation_id,
    previous_expires_at: rotation.previous_expires_at.toISOString(),
    expires_at: rotation.expires_at.toISOString(),
  };
}

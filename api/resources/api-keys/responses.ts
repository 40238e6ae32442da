import joi from 'joi';
import { SCOPES } from '../../../domain/key-scope.js';
import { SCOPE_ACTIONS, SCOPE_RESOURCES } from '../../../domain/policies.js';
import { oneOf } from '../../http/typed.js';
import * as s from '../shared/shapes.js';

const scope = s.shape({
  // Tokens of OAuth applications have complete scopes here and no actions.
  resources: joi
    .array()
    .items(oneOf([...SCOPE_RESOURCES, ...SCOPES]))
    .description('The resources that the key can use; for tokens of OAuth applications, complete scopes.'),
  actions: joi
    .array()
    .items(oneOf(SCOPE_ACTIONS))
    .description('What the key can do with these resources. Empty for tokens of OAuth applications.'),
  ip_allowlist: joi
    .array()
    .items(joi.string())
    .description('The IP ranges from which the key can be used, in CIDR notation. Empty for any address.'),
});

/** A key as `presentApiKey` returns it. */
export const apiKey = s.shape({
  id: s.idOf('key'),
  name: s.anyText.description('The name of the key.'),
  member_id: s.idOf('mem').description('The member whose role limits the key.'),
  fingerprint: s.anyText.description('A shortened form of the token, as in the audit log.'),
  key_prefix: s.anyText.description('The beginning of the token.'),
  created_at: s.instant,
  expires_at: s.instant.description('The time at which the key expires.'),
  last_used_at: s.nullableInstant.description('The time at which the current token was last used.'),
  revoked_at: s.nullableInstant.description('The time at which the key was revoked.'),
  scope: scope.description('What the key permits.'),
  previous_token: s
    .orNull(
      s.shape({
        fingerprint: s.anyText.description('A shortened form of the token.'),
        expires_at: s.instant.description('The time at which the token stops working.'),
        last_used_at: s.nullableInstant.description(
          'The time at which the token was last used, which shows whether it is still needed.',
        ),
      }),
    )
    .description('The token before the last rotation, while it is valid.'),
});

/** A key as `presentCreatedApiKey` returns it. */
export const created = s.shape({
  id: s.idOf('key'),
  token: s.nullableText.description('The API key. Returned only once, null in a repeat.'),
  fingerprint: s.anyText.description('A shortened form of the token, as in the audit log.'),
  created_at: s.instant,
  expires_at: s.instant.description('The time at which the key expires.'),
});

/** A rotation as `presentRotation` returns it. */
export const rotated = s.shape({
  id: s.idOf('key'),
  token: s.nullableText.description('The new API key. Returned only once, null in a repeat.'),
  fingerprint: s.anyText.description('A shortened form of the new token.'),
  rotation_id: s.idOf('rot').description('The id of the rotation, as in the audit log.'),
  previous_expires_at: s.instant.description('The time at which the previous token stops working.'),
  expires_at: s.instant.description('The time at which the key expires.'),
});

/** The number of revoked keys. */
export const revoked = s.shape({ revoked: s.count.description('The number of keys that were revoked.') });

/** The calling key. */
export const caller = s.shape({
  workspace_id: s.idOf('ws'),
  scopes: joi
    .array()
    .items(oneOf(SCOPES))
    .description('The scopes of the key that the role of its member permits now.'),
  key_prefix: s.anyText.description('The beginning of the token.'),
  created_at: s.instant,
});

import { isId } from '../../../db/ids.js';
import { DAY_MS } from '../../../domain/durations.js';
import { formatRange, parseRange } from '../../../domain/ip-range.js';
import { KEY_KINDS, SCOPES } from '../../../domain/api-keys/key-scope.js';
import { SCOPE_ACTIONS, SCOPE_RESOURCES } from '../../../domain/policies.js';
import { presentApiKey, presentCreatedApiKey, presentRotation } from '../../../domain/api-keys/presenter.js';
import { memberId, text, timestamp, uuid } from '../../http/fields.js';
import { IP_RANGE } from '../../http/patterns.js';
import { array, nullable, number, object, oneOf, string, withDefault, type Infer } from '../../http/typed.js';
import { field, sidesOf } from '../shared/field.js';
import { origin } from '../shared/origin.js';
import * as s from '../shared/shapes.js';

export const MAX_DAYS = 365;

export const isKeyId = (id: string): boolean => isId('key', id);

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

const scope = sidesOf({
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

const { sent, read } = sidesOf({
  name: field(text(200).trim().min(1), 'The name of the key.', {
    sent: 'A name for people, such as the place where the key is used.',
  }),
  kind: field(
    oneOf(KEY_KINDS),
    '`secret`, for programs, or `publishable`, for web sites: it is no secret, and strangers book with it.',
    {
      sent:
        '`secret` (default), for programs, or `publishable`, for web sites: it is no secret, and only ' +
        'the operations under `/v1/public` take it.',
    },
  ),
  origins: field(
    array(origin).unique().min(1).max(20),
    'The origins of the sites that may use the key, such as `https://www.example.com`. ' +
      'Empty for secret keys.',
    {
      sent:
        'The origins of the sites that may use the key, such as `https://www.example.com`. Required for ' +
        'publishable keys, and only for them.',
      read: array(s.anyText),
    },
  ),
  room_ids: field(
    nullable(array(uuid).unique().max(500)),
    'The rooms that can be booked with a publishable key. Null for all that guests can book.',
    { read: s.orNull(array(s.anyUuid)) },
  ),
  member_id: field(memberId, 'The member whose role limits the key; of a publishable key, who created it.', {
    sent: 'The member whose role limits the key. Defaults to the member of the calling key.',
    read: s.idOf('mem'),
  }),
  expires_at: field(expiry, 'The time at which the key expires. Null for publishable keys, which do not.', {
    sent: 'The time at which the key expires, at most 365 days from now. Defaults to 90 days from now.',
    read: s.nullableInstant,
  }),
  scope: field(object(scope.sent), 'What the key permits.', {
    sent: 'What the key permits. Missing parts default to those of the calling key.',
    read: s.shape(scope.read),
  }),
});

/**
 * Body of `POST /v1/api-keys`. Parts missing in the scope default to those of the calling key. The
 * default of `expires_at` is applied when the key is created: here it would make a repeat differ
 * from the original request.
 */
export const createSchema = object({ ...sent, scope: withDefault(sent.scope, {}) }, 'name').required();
export type CreateBody = Infer<typeof createSchema>;

/** Body of `PATCH /v1/api-keys/{id}`. */
export const updateSchema = object({
  name: sent.name,
  scope: object(scope.sent).min(1).description('The narrower scope. Missing parts do not change.'),
  expires_at: sent.expires_at.description('The earlier time at which the key expires.'),
})
  .min(1)
  .required();
export type UpdateBody = Infer<typeof updateSchema>;

const GRACE = '{{#label}} must be between 1/24 (one hour) and 30';

/** Form or body of both rotations. */
export const rotateSchema = object({
  grace_window_days: withDefault(
    number
      .min(1 / 24)
      .max(30)
      .messages({ 'number.min': GRACE, 'number.max': GRACE })
      .description('How long the previous token stays valid, in days: from 1/24 (one hour) to 30.'),
    7,
  ),
});
export type RotateBody = Infer<typeof rotateSchema>;

const fingerprint = s.anyText.description('A shortened form of the token, as in the audit log.');
const key_prefix = s.anyText.description('The beginning of the token.');

/** A key, as lists have it. */
export const apiKey = s.presentedBy(
  presentApiKey,
  s.shape({
    id: s.idOf('key'),
    ...read,
    token: s.nullableText.description('The token of a publishable key. Null for secret keys.'),
    fingerprint,
    key_prefix,
    created_at: s.instant,
    last_used_at: s.nullableInstant.description('The time at which the current token was last used.'),
    revoked_at: s.nullableInstant.description('The time at which the key was revoked.'),
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
  }),
);

/** A new key with its token. */
export const created = s.presentedBy(
  presentCreatedApiKey,
  s.shape({
    id: s.idOf('key'),
    token: s.nullableText.description(
      'The API key. A secret one is returned only once, and null in a repeat.',
    ),
    fingerprint,
    created_at: s.instant,
    expires_at: read.expires_at,
  }),
);

/** A rotation of a key. */
export const rotated = s.presentedBy(
  presentRotation,
  s.shape({
    id: s.idOf('key'),
    token: s.nullableText.description('The new API key. Returned only once, null in a repeat.'),
    fingerprint: s.anyText.description('A shortened form of the new token.'),
    rotation_id: s.idOf('rot').description('The id of the rotation, as in the audit log.'),
    previous_expires_at: s.instant.description('The time at which the previous token stops working.'),
    expires_at: s.instant.description('The time at which the key expires.'),
  }),
);

/** The number of revoked keys. */
export const revoked = s.shape({ revoked: s.count.description('The number of keys that were revoked.') });

/** The calling key. */
export const caller = s.shape({
  workspace_id: s.idOf('ws'),
  scopes: array(oneOf(SCOPES)).description('The scopes of the key that the role of its member permits now.'),
  key_prefix,
  created_at: s.instant,
});

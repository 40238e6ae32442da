import { isId } from '../../../db/ids.js';
import { isLoopback } from '../../../domain/applications/redirect-uri.js';
import { presentOauthClient } from '../../../domain/applications/presenter.js';
import { text } from '../../http/fields.js';
import { REDIRECT_URI } from '../../http/patterns.js';
import { array, boolean, object, string, withDefault, type Infer } from '../../http/typed.js';
import { field, sidesOf } from '../shared/field.js';
import { name } from '../shared/name.js';
import * as s from '../shared/shapes.js';

export const isClientId = (id: string): boolean => isId('client', id);

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

export const MAX_REDIRECT_URIS = 20;

const { sent, read } = sidesOf({
  name: field(name, 'The name of the application, as shown on the consent page.'),
  redirect_uris: field(
    array(redirectUri).min(1).max(MAX_REDIRECT_URIS).unique(),
    'The URIs to which the browser can be redirected with an authorization code. They must match exactly.',
    { read: array(string) },
  ),
  public: field(boolean, 'Whether the client has no secret.', {
    sent: 'Whether the client cannot keep a secret, such as a browser or mobile application.',
  }),
});

/** Body of `POST /v1/oauth-clients`. */
export const createSchema = object(
  { ...sent, public: withDefault(sent.public, false) },
  'name',
  'redirect_uris',
).required();
export type CreateBody = Infer<typeof createSchema>;

/** A client in responses. */
export const oauthClient = s.presentedBy(
  presentOauthClient,
  s.shape({ client_id: s.idOf('client'), ...read, created_at: s.instant }),
);

/** With its secret, or null if there is none to show. */
export const created = s.extend(oauthClient, {
  client_secret: s.nullableText.description(
    'The secret. Returned only once; null for a public client and in a repeat.',
  ),
});

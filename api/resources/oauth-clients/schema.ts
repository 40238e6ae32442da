import joi from 'joi';
import { isId } from '../../../db/ids.js';
import { text } from '../../http/fields.js';

export const isClientId = (id: string): boolean => isId('client', id);

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);
/** `com.example.app:`, as RFC 8252 recommends for native applications; no scheme that browsers handle has a dot. */
const PRIVATE_SCHEME = /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/;

/** Where a browser may be sent with a code: https, http on the loopback interface, or a private-use URI scheme. */
const redirectUri = text(2_000).custom((value: string, helpers) => {
  const { protocol, hostname, username, password } = URL.canParse(value) ? new URL(value) : ({} as URL);
  const isWeb = protocol === 'https:' || (protocol === 'http:' && LOOPBACK.has(hostname));
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
      '{{#label}} must be an https URL, an http URL on localhost or a URL with a private-use scheme, and must not have a fragment or a wildcard host',
  });
});

export const MAX_REDIRECT_URIS = 20;

/** Body of `POST /v1/oauth-clients`. */
export const createSchema = joi
  .object({
    name: text(100)
      .trim()
      .min(1)
      .required()
      .description('The name of the application, as shown on the consent page.'),
    redirect_uris: joi
      .array()
      .items(redirectUri)
      .min(1)
      .max(MAX_REDIRECT_URIS)
      .unique()
      .required()
      .description(
        'The URIs to which the browser can be redirected with an authorization code. They must match exactly.',
      ),
    public: joi
      .boolean()
      .default(false)
      .description('Whether the client cannot keep a secret, such as a browser or mobile application.'),
  })
  .required();

export interface CreateBody {
  name: string;
  redirect_uris: string[];
  public: boolean;
}

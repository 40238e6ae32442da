import type { JsonSchema } from './json-schema.js';
import type { Header, Reference } from './open-api.js';

const text = { type: 'string' };
const number = { type: 'integer', minimum: 0 };
const header = (description: string, schema: JsonSchema) => ({ required: true, description, schema });

/** The response headers of the API. */
export const HEADERS: Record<string, Header> = {
  'x-request-id': header('The id of the request, also in `error.request_id`.', {
    type: 'string',
    format: 'uuid',
  }),
  'X-RateLimit-Limit': header('The maximum number of requests in a burst.', number),
  'X-RateLimit-Remaining': header('The number of requests that can be sent now.', number),
  'X-RateLimit-Reset': header(
    'The time at which the full burst is available again, in Unix seconds. A single request is ' +
      'usually possible much earlier: see `Retry-After`.',
    number,
  ),
  'Retry-After': header(
    'The number of seconds to wait before the next request. After a 429, one request is then ' +
      'accepted, even if `X-RateLimit-Reset` is later.',
    number,
  ),
  Location: header('The path at which to get the result.', text),
  'Service-Maintenance': {
    required: false,
    description: 'The next or current maintenance of the workspace, as `<starts_at>/<ends_at>`.',
    schema: text,
  },
  ETag: header('The version of the response, for `If-None-Match` or `If-Match`.', text),
  Deprecation: header(
    'The time at which the operation was deprecated, as `@` and Unix seconds (RFC 9745).',
    text,
  ),
  Sunset: header('The time from which the operation may be removed, as an HTTP date (RFC 8594).', text),
  'WWW-Authenticate': header('The authentication scheme.', text),
};

const LIMITS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];

/** What affects the response headers of an operation. */
export interface Sending {
  etag?: true;
  deprecated?: object;
}

/** The headers of a response. A 5xx may occur before the request is counted. */
export function headersFor(status: number, { etag, deprecated }: Sending = {}): Record<string, Reference> {
  const names = [
    'x-request-id',
    ...(status < 500 ? LIMITS : []),
    'Service-Maintenance',
    ...(status === 202 ? ['Location'] : []),
    ...([202, 429, 503].includes(status) ? ['Retry-After'] : []),
    ...(etag && status < 400 ? ['ETag'] : []),
    ...(deprecated ? ['Deprecation', 'Sunset'] : []),
    ...(status === 401 ? ['WWW-Authenticate'] : []),
  ];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

const signature = (name: string, description: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: text,
});

/** The request headers of webhooks. */
export const SIGNATURE_HEADERS = [
  signature(
    'Service-Signature',
    'The hex HMAC-SHA256 of the raw body, keyed with the secret of the endpoint.',
  ),
  signature('webhook-id', 'The id of the event.'),
  signature('webhook-timestamp', 'The time of this delivery attempt, in Unix seconds.'),
  signature('webhook-signature', 'The signature as defined by Standard Webhooks.'),
];

import { APPLICATIONS } from './applications.js';
import type { JsonSchema } from './json-schema.js';

/** What holds for all of the API; Markdown, an entry for each section, an empty line between its paragraphs. */
export const PARAGRAPHS: [title: string, text: string][] = [
  [
    'Authentication',
    'Send an API key, or an OAuth access token, as `Authorization: Bearer <API_KEY>`; never in a query. Each operation names the scope that it needs and the roles that may: what counts is the scope of the key and the role that its member has now.',
  ],
  [
    'Examples',
    'The ids in examples are nobody’s: put your own in their places. The commands of the reference read them from the shell, and your key too: `export API_KEY=… ROOM_ID=…` first, with what `GET /v1/rooms` and other lists answer you.',
  ],
  ['Applications', APPLICATIONS],
  [
    'Values',
    'Amounts are integers in minor units of their currency. Times are ISO 8601; those in answers are UTC, those in requests carry an offset or `Z`. Ranges are half-open, so back-to-back bookings do not conflict. A field that is not known here is refused.',
  ],
  [
    'Lists',
    'A list answers a page in `data` and, in `next_cursor`, where the next one begins: send it as `cursor`, with the same filters. It is null at the end. `limit` is 50 unless told, and 200 at most.',
  ],
  [
    'Errors',
    'An error has a `code` to act on, a `message` to read and a `request_id` to tell us; `param` names the field at fault, where there is one, and `errors` all of them. Another workspace’s ids are not found. After a 503 the same request may be sent again with the same idempotency key.',
  ],
  [
    'Idempotency',
    'A POST that creates something or moves money takes an `Idempotency-Key` header. Whatever became of the first request, a repeat with the same key and body does nothing twice. A secret is shown to the first request only: a repeat has null in its place.',
  ],
  [
    'Limits',
    'Every answer says in `X-RateLimit-Limit`, `X-RateLimit-Remaining` and `X-RateLimit-Reset` (Unix seconds) how much of the bucket is left; a 429 says in `Retry-After` for how long to wait. The calendar takes 100 requests a minute of each workspace in the long run and 500 at once; a token may send 600 a minute.',
  ],
  [
    'Events',
    'What happens is sent to the workspace’s one endpoint, signed: `Service-Signature` is the hex HMAC-SHA256 of the raw body, keyed with the endpoint’s secret as shown; `webhook-id`, `webhook-timestamp` and `webhook-signature` are those of Standard Webhooks. An event may come more than once: its `id` tells.',
  ],
];

export const OVERVIEW = PARAGRAPHS.map(([title, text]) => `## ${title}\n\n${text}`).join('\n\n');

const text = { type: 'string' };
const number = { type: 'integer', minimum: 0 };
const header = (description: string, schema: JsonSchema) => ({ required: true, description, schema });

export const HEADERS: Record<string, JsonSchema> = {
  'x-request-id': header('The id of the request, as in `error.request_id`.', {
    type: 'string',
    format: 'uuid',
  }),
  'X-RateLimit-Limit': header('Size of the bucket.', number),
  'X-RateLimit-Remaining': header('What is left in it.', number),
  'X-RateLimit-Reset': header('When it is full again, in Unix seconds.', number),
  'Retry-After': header('Seconds to wait.', number),
  'WWW-Authenticate': header('How to authenticate.', text),
};

const LIMITS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];

/** The headers of an answer. What fails on our side may fail before it is counted. */
export function headersFor(status: number): JsonSchema {
  const names = [
    'x-request-id',
    ...(status < 500 ? LIMITS : []),
    ...(status === 429 || status === 503 ? ['Retry-After'] : []),
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

export const SIGNATURE_HEADERS = [
  signature('Service-Signature', 'Hex HMAC-SHA256 of the raw body.'),
  signature('webhook-id', 'The event’s id.'),
  signature('webhook-timestamp', 'Unix seconds of this attempt.'),
  signature('webhook-signature', 'As Standard Webhooks has it.'),
];

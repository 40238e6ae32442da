import { APPLICATIONS } from './applications.js';

/** The general sections of the document: Markdown, with an empty line between paragraphs. */
export const PARAGRAPHS: [title: string, text: string][] = [
  [
    'Authentication',
    'Send an API key or an OAuth access token as `Authorization: Bearer <API_KEY>`, never in a query. Each operation lists the scope it requires and the roles that can use it. The caller needs both: the scope of the key, and the current role of the member the key belongs to.',
  ],
  [
    'Examples',
    'The ids in the examples do not exist: replace them with your own. The commands of this reference read your key and ids from the shell: first run `export API_KEY=… ROOM_ID=…`, with ids from `GET /v1/rooms` and the other lists.',
  ],
  ['Applications', APPLICATIONS],
  [
    'Values',
    'Amounts are integers in minor units of their currency. Times are ISO 8601: UTC in responses, with an offset or `Z` in requests. Time ranges are half-open, so back-to-back bookings do not conflict. Unknown fields in requests are rejected.',
  ],
  [
    'Lists',
    'A list returns one page in `data`. `next_cursor` is the start of the next page, or null on the last one: send it as `cursor`, with the same filters. `limit` defaults to 50 and cannot exceed 200.',
  ],
  [
    'Errors',
    'An error has a `code` for programs, a `message` for people and a `request_id` for support. For invalid input, `param` names the first invalid field and `errors` lists them all. Objects of other workspaces are not found. After a 503 you can send the same request again with the same idempotency key.',
  ],
  [
    'Idempotency',
    'Every POST that creates something or moves money accepts an `Idempotency-Key` header. A repeat with the same key and body has no second effect, whatever happened to the first request. Secrets are returned to the first request only; a repeat gets null instead.',
  ],
  [
    'Limits',
    'Every response has the state of its bucket in `X-RateLimit-Limit`, `X-RateLimit-Remaining` and `X-RateLimit-Reset` (Unix seconds). A 429 has the seconds to wait in `Retry-After`. A token can send 600 requests per minute. Calendar routes allow each workspace 100 requests per minute, with bursts of 500.',
  ],
  [
    'Events',
    'Events are sent to the webhook endpoint of the workspace and signed: `Service-Signature` is the hex HMAC-SHA256 of the raw body, with the endpoint’s secret as the key. `webhook-id`, `webhook-timestamp` and `webhook-signature` follow Standard Webhooks. An event can be delivered more than once; its `id` stays the same.',
  ],
];

export const OVERVIEW = PARAGRAPHS.map(([title, text]) => `## ${title}\n\n${text}`).join('\n\n');

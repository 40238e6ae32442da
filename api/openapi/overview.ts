import { APPLICATIONS } from './applications.js';

/** The general sections of the document: Markdown, with an empty line between paragraphs. */
export const PARAGRAPHS: [title: string, text: string][] = [
  [
    'Authentication',
    'Send an API key or an OAuth access token as `Authorization: Bearer <API_KEY>`, never in the URL. ' +
      'Each operation lists the scope it requires and the roles that can use it. The request needs both: ' +
      'the key must have the scope, and the member that the key belongs to must currently have one of the ' +
      'roles.',
  ],
  [
    'Examples',
    'The ids in the examples are placeholders: replace them with your own. The commands in this reference ' +
      'read ids and your API key, or a website’s publishable key, from shell variables, and create UUIDs ' +
      'with programs that every POSIX system has. Set the variables first, for example with ' +
      '`export API_KEY=… ROOM_ID=…`. `GET /v1/rooms` and the other list operations return ids.',
  ],
  ['Applications', APPLICATIONS],
  [
    'Values',
    'Amounts are integers in minor units of the currency, such as pence. Times are ISO 8601: UTC in ' +
      'responses, with an offset or `Z` in requests. Time ranges include their start but not their end, so ' +
      'back-to-back bookings do not conflict. Requests with unknown fields fail with 422 ' +
      '`validation_failed`, and `message` suggests the field that was probably meant. Names and most ' +
      'other short texts must not begin or end with white space. A name is one line of visible text ' +
      'without a web or email address.',
  ],
  [
    'Lists',
    'A list returns one page in `data`. To get the next page, send `next_cursor` as `cursor`, with the ' +
      'same filters; it is null on the last page. `limit` is the maximum number of objects per page: 50 by ' +
      'default, 200 at most.',
  ],
  [
    'Errors',
    'An error has a `code` for programs, a `message` for people and a `request_id` to quote to support. ' +
      'For invalid input, `param` is the first invalid field and `errors` lists them all. A request for an ' +
      'object of another workspace returns 404. After a 503 `service_unavailable`, retry the request with ' +
      'the same idempotency key. The `Service-Maintenance` header announces maintenance. During ' +
      'maintenance, requests fail with 503 `maintenance`.',
  ],
  [
    'Idempotency',
    'Every POST, PATCH and DELETE that changes something accepts an `Idempotency-Key` header. A request ' +
      'that creates a booking has an `idempotency_key` in the body instead. If a request fails or its ' +
      'response is lost, retry it with the same key and body: it takes effect only once, and a repeat ' +
      'returns the object as it is now. The same key with another method, path or body fails with 409 ' +
      '`idempotency_conflict`. Secrets are returned only in the first response; a repeat returns null ' +
      'instead.',
  ],
  [
    'Limits',
    'Each API key or access token can send 600 requests per minute. Requests for bookings, quotes, ' +
      'availability, the calendar feed and rooms are also limited per workspace: 100 per minute, with ' +
      'bursts of 500. Response headers show the state of the limit: `X-RateLimit-Limit` is the largest ' +
      'burst, `X-RateLimit-Remaining` the number of requests that can be sent now, and ' +
      '`X-RateLimit-Reset` (Unix seconds) the time at which the full burst is available again. After a ' +
      '429 `rate_limited`, wait for the number of seconds in `Retry-After`. One request is then accepted ' +
      'again, usually long before `X-RateLimit-Reset`. A request sent earlier counts as a violation. The ' +
      'second violation within 10 minutes reduces the limit to 20 requests per minute for 10 minutes.',
  ],
  [
    'Events',
    'Events are sent to the webhook endpoint of the workspace. To verify an event, compare ' +
      '`Service-Signature` with the hex HMAC-SHA256 of the raw body, keyed with the endpoint’s secret, or ' +
      'verify `webhook-id`, `webhook-timestamp` and `webhook-signature` with a Standard Webhooks library. ' +
      'Respond with a 2xx status. An event can be delivered more than once, always with the same `id`.',
  ],
];

export const OVERVIEW = PARAGRAPHS.map(([title, text]) => `## ${title}\n\n${text}`).join('\n\n');

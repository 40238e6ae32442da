/**
 * A route that a public guest can reach: it needs no key and no session, or a key that everybody can read.
 */
export interface OpenRoute {
  /**
   * How an address that sends too many requests is refused (docs/rules/api.md#rate-limits); `nothing` for
   * constants.
   */
  counts: 'address' | 'nothing';
  /** The part of its input that reaches other people. */
  reaches: string;
}

const NOTHING = 'nothing';
const LINK = 'nothing: whoever has the link acts for its payer';

const page = (reaches = NOTHING): OpenRoute => ({ counts: 'address', reaches });
const constant: OpenRoute = { counts: 'nothing', reaches: NOTHING };

/**
 * All open routes. `test/api/open-routes.test.ts` keeps the list complete, and checks each route's limit and
 * memory.
 */
export const OPEN_ROUTES: Record<string, OpenRoute> = {
  'GET /': page(),
  'GET /favicon.svg': constant,
  'GET /fonts/:file': constant,
  'GET /health': page(),
  'GET /health/live': page(),
  'GET /.well-known/security.txt': page(),
  'GET /docs': page(),
  'GET /v1/openapi.json': page(),
  'GET /pictures/:key': page(),
  'GET /feeds/:token.ics': page(),

  // Booking pages. A guest's text reaches staff once the guest has paid or followed the link in their mail.
  'GET /book/embed.js': constant,
  'GET /book/:slug': page(),
  'GET /book/:slug/terms/:version': page(),
  'GET /book/:slug/rooms/:room': page(),
  'GET /book/:slug/rooms/:room/details': page(),
  'POST /book/:slug/rooms/:room/details': page(
    'name, company, answers: staff, and mail to the address once it is proven. Address: ' +
      'one mail without them',
  ),
  'GET /confirm/:token': page(),
  'POST /confirm/:token': page('what the booking has: staff'),
  'GET /v1/public/rooms': page(),
  'GET /v1/public/availability': page(),
  'POST /v1/public/quotes': page(),
  'POST /v1/public/bookings': page('as the form of the booking page'),
  'GET /v1/public/bookings/:token': page(),

  // Payers.
  'GET /checkout/card': page(),
  'GET /checkout/left': page(),
  'GET /checkout/success': page(),
  'GET /manage/:token': page(LINK),
  'GET /manage/:token/booking.ics': page(LINK),
  'GET /manage/:token/cancel': page(LINK),
  'GET /manage/:token/documents/:number.pdf': page(LINK),
  'GET /manage/:token/extras': page(LINK),
  'GET /manage/:token/move': page(LINK),
  'GET /manage/:token/receipt.pdf': page(LINK),
  'GET /manage/:token/refunds/:refund.pdf': page(LINK),
  'POST /manage/:token/cancel': page('that it was cancelled: staff'),
  'POST /manage/:token/extras': page('the numbers of extras: staff'),
  'POST /manage/:token/move': page('the time: staff'),
  'POST /manage/:token/withdraw': page('that it was withdrawn: staff'),
  'GET /pay/:token': page(LINK),
  'GET /pay/:token/documents/:number.pdf': page(LINK),
  'GET /pay/:token/pdf': page(LINK),
  'GET /pay/:token/refunds/:refund.pdf': page(LINK),
  'POST /pay/:token': page(LINK),

  // People who sign in, and their applications.
  'GET /sign-in': page(),
  'GET /sign-in/link': page(),
  'POST /sign-in': page('the address: a mail to it, if it is known here, without text of the request'),
  'POST /sign-in/link': page(),
  'POST /sign-in/passkey': page(),
  'POST /passkeys/options/sign_in': page(),
  'GET /sign-in/:name': page(),
  'GET /sign-in/workspace': page(),
  'POST /sign-in/:name': page(),
  'GET /sso/:workspace/acs': page(),
  'GET /sso/:workspace/callback': page('the reason of a refusal, in a word: the audit log of the workspace'),
  'GET /sso/:workspace/metadata': page(),
  'POST /sso/:workspace/acs': page(),
  'GET /invite/:token': page(),
  'POST /invite/:token': page('the name that the invited person gives: staff of the workspace'),
  'GET /accounting/callback': page(),
  'GET /onboarding/again': page(),
  'GET /onboarding/done': page(),
  'GET /.well-known/oauth-authorization-server': page(),
  'GET /oauth/authorize': page(),
  'GET /oauth/authorize/:uid': page(),
  'OPTIONS /oauth/revoke': page(),
  'OPTIONS /oauth/token': page(),
  'POST /oauth/revoke': page(),
  'POST /oauth/token': page(),

  'POST /webhooks/processor': page('nothing that the processor has not signed'),
};

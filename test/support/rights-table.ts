import { ROLES, type Role, type Scope } from '../../domain/policies.js';
import { DASHBOARD_ROUTES } from './dashboard-rights-table.js';
import { NEXT_MONDAY, ON_NEXT_MONDAY } from './days.js';

/**
 * A request that passes the scope and role checks, and its response: a status and, for an error, its code.
 */
export interface Sample {
  /** The query string, such as `?limit=1`. */
  query?: string;
  body?: unknown;
  /** The workspace whose ids are in the path: by default the other one. */
  of?: 'own';
  response: string | Record<Role, string>;
}

/**
 * A route, its required scope, the roles that may call it (docs/rules/members.md#roles,
 * docs/rules/credentials.md#scopes), and samples.
 */
export interface Row {
  route: string;
  scope: Scope | null;
  /** Other scopes that also grant access. */
  or?: Scope[];
  roles: readonly Role[];
  samples: Sample[];
}

const ALL = ROLES;
const NO_MEMBER = ['front_desk', 'billing_contact', 'admin', 'owner'] as const;
const BILLING = ['billing_contact', 'admin', 'owner'] as const;
const DESK = ['front_desk', 'admin', 'owner'] as const;
const ADMINS = ['admin', 'owner'] as const;
const OWNER = ['owner'] as const;

const ok: Sample = { response: '200' };
const invalid: Sample = { body: { nonsense: true }, response: '422 validation_failed' };
const theirs = (response: Sample['response'], body?: unknown): Sample => ({ response, body });
const own = (response: Sample['response'], body?: unknown): Sample => ({ of: 'own', response, body });

const slot = { start_at: `${NEXT_MONDAY}T10:00:00Z`, end_at: `${NEXT_MONDAY}T11:00:00Z` };
const invoiceLine = { description: 'Desk', quantity: 1, unit_amount_minor: 100, tax_code: 'ZERO' };
/** Another member's booking can be read and changed by the front desk, admins and owners only. */
const bookingOfAnother = (response: string): Record<Role, string> => ({
  member: '404 booking_not_found',
  front_desk: response,
  billing_contact: '404 booking_not_found',
  admin: response,
  owner: response,
});
/**
 * Members without a billing role read only the invoices that they pay, and the front desk also those for
 * bookings.
 */
const invoiceOfAnother = (response: string): Record<Role, string> => ({
  member: '404 invoice_not_found',
  front_desk: '404 invoice_not_found',
  billing_contact: response,
  admin: response,
  owner: response,
});
/** A member can read and change only their own record; other members return 404. */
const otherMember = (response: string, byContact = response): Record<Role, string> => ({
  member: '403 role_insufficient',
  front_desk: byContact,
  billing_contact: byContact,
  admin: response,
  owner: response,
});

const row = (route: string, scope: Scope | null, roles: readonly Role[], ...samples: Sample[]): Row => ({
  route,
  scope,
  roles,
  samples,
});

/** Every route that requires a key. */
export const ROWS: Row[] = [
  row('GET /v1/auth/whoami', null, ALL, ok),

  row('GET /v1/bookings', 'calendar:read', ALL, ok),
  row('POST /v1/bookings', 'calendar:write', ALL, invalid),
  row('POST /v1/quotes', 'calendar:write', ALL, invalid),
  row(
    'GET /v1/bookings/:booking',
    'calendar:read',
    ALL,
    theirs('404 booking_not_found'),
    own(bookingOfAnother('200')),
  ),
  row(
    'PATCH /v1/bookings/:booking',
    'calendar:write',
    ALL,
    invalid,
    theirs('404 booking_not_found', { notes: 'Mine' }),
    own(bookingOfAnother('200'), { notes: 'Tea' }),
  ),
  row(
    'POST /v1/bookings/:booking/cancel',
    'calendar:write',
    ALL,
    invalid,
    theirs('404 booking_not_found', {}),
    own('422 validation_failed', { refund_policy: 'all' }),
  ),
  row(
    'GET /v1/bookings/:booking/pending-change',
    'calendar:read',
    ALL,
    theirs('404 booking_not_found'),
    own(bookingOfAnother('404 not_found')),
  ),
  row(
    'DELETE /v1/bookings/:booking/pending-change',
    'calendar:write',
    ALL,
    theirs('404 booking_not_found'),
    own(bookingOfAnother('404 not_found')),
  ),
  row(
    'POST /v1/bookings/:booking/no-show',
    'calendar:write',
    DESK,
    invalid,
    theirs('404 booking_not_found', {}),
    own('409 booking_not_started', {}),
  ),
  row(
    'POST /v1/bookings/:booking/payments',
    'calendar:write',
    DESK,
    invalid,
    theirs('404 booking_not_found', { method: 'cash', amount_minor: 1 }),
    own('409 already_paid', { method: 'cash', amount_minor: 1 }),
  ),
  row(
    'POST /v1/bookings/:booking/send',
    'calendar:write',
    DESK,
    invalid,
    theirs('404 booking_not_found', {}),
    own('200', {}),
  ),
  row(
    'POST /v1/bookings/:booking/messages',
    'calendar:write',
    DESK,
    invalid,
    theirs('404 booking_not_found', { subject: 'Lift', text: 'Use the stairs.' }),
    own('201', { subject: 'Lift', text: 'Use the stairs.' }),
  ),
  row('POST /v1/messages', 'calendar:write', DESK, invalid, {
    body: { date: NEXT_MONDAY, subject: 'Lift', text: 'Use the stairs.' },
    response: '422 validation_failed',
  }),
  row(
    'POST /v1/bookings/:booking/rotate-manage-link',
    'calendar:write',
    DESK,
    invalid,
    theirs('404 booking_not_found', {}),
    own('200', {}),
  ),
  row('GET /v1/availability', 'calendar:read', ALL, {
    query: `?tier=pro&${ON_NEXT_MONDAY}`,
    response: '200',
  }),
  row('GET /v1/calendar.ics', 'calendar:read', ALL, ok),

  row('GET /v1/rooms', 'calendar:read', ALL, ok),
  row('POST /v1/rooms', 'calendar:write', ADMINS, invalid),
  row('GET /v1/rooms/:room', 'calendar:read', ALL, theirs('404 room_not_found'), own('200')),
  row(
    'PATCH /v1/rooms/:room',
    'calendar:write',
    ADMINS,
    invalid,
    theirs('404 room_not_found', { name: 'Mine' }),
    own('200', { name: 'Blue' }),
  ),
  row(
    'POST /v1/rooms/:room/copy',
    'calendar:write',
    ADMINS,
    invalid,
    theirs('404 room_not_found', { name: 'Mine' }),
    own('201', { name: 'Blue again' }),
  ),
  row(
    'POST /v1/rooms/:room/pictures',
    'calendar:write',
    ADMINS,
    theirs('404 room_not_found'),
    own('415 unsupported_media_type'),
  ),
  row('GET /v1/rooms/:room/rates', 'calendar:read', ALL, theirs('404 room_not_found'), own('200')),
  row(
    'PUT /v1/rooms/:room/rates',
    'calendar:write',
    ADMINS,
    invalid,
    theirs('404 room_not_found', { rates: [] }),
    own('200', { rates: [] }),
  ),
  row('GET /v1/extras', 'calendar:read', ALL, ok),
  row('POST /v1/extras', 'calendar:write', ADMINS, invalid),
  row('GET /v1/extras/:extra', 'calendar:read', ALL, theirs('404 not_found'), own('200')),
  row(
    'PATCH /v1/extras/:extra',
    'calendar:write',
    ADMINS,
    invalid,
    theirs('404 not_found', { name: 'Mine' }),
    own('200', { name: 'Lunch' }),
  ),
  row('GET /v1/discounts', 'calendar:read', ADMINS, ok),
  row('POST /v1/discounts', 'calendar:write', ADMINS, invalid),
  row('GET /v1/discounts/:discount', 'calendar:read', ADMINS, theirs('404 not_found'), own('200')),
  row(
    'PATCH /v1/discounts/:discount',
    'calendar:write',
    ADMINS,
    invalid,
    theirs('404 not_found', { archived: true }),
    own('200', { max_uses: 5 }),
  ),
  row('GET /v1/preparations', 'calendar:read', DESK, {
    query: `?${ON_NEXT_MONDAY}`,
    response: '200',
  }),
  row('GET /v1/rooms/:room/blackouts', 'calendar:read', ALL, theirs('404 room_not_found'), own('200')),
  row('POST /v1/rooms/:room/blackouts', 'calendar:write', DESK, invalid, theirs('404 room_not_found', slot)),
  row('DELETE /v1/rooms/:room/blackouts/:blackout', 'calendar:write', DESK, theirs('404 room_not_found')),

  row('GET /v1/companies', 'members:read', BILLING, ok),
  row('POST /v1/companies', 'members:write', ADMINS, invalid),
  row('GET /v1/companies/:company', 'members:read', BILLING, theirs('404 company_not_found'), own('200')),
  row(
    'PATCH /v1/companies/:company',
    'members:write',
    ADMINS,
    invalid,
    theirs('404 company_not_found', { name: 'Mine' }),
    own('200', { name: 'Northwind' }),
  ),

  row(
    'POST /v1/companies/:company/card-setup',
    'billing:write',
    ADMINS,
    invalid,
    theirs('404 company_not_found', {}),
  ),
  row('DELETE /v1/companies/:company/card', 'billing:write', ADMINS, theirs('404 company_not_found')),

  row('GET /v1/members', 'members:read', NO_MEMBER, ok),
  row('POST /v1/members', 'members:invite', ADMINS, invalid),
  {
    ...row('POST /v1/members.bulk', 'members:write', ADMINS, invalid),
    or: ['members:invite', 'members:delete'],
  },
  row(
    'GET /v1/members/:member',
    'members:read',
    ALL,
    theirs(otherMember('404 member_not_found')),
    own(otherMember('200')),
  ),
  row(
    'PATCH /v1/members/:member',
    'members:write',
    ALL,
    invalid,
    theirs(otherMember('404 member_not_found'), { name: 'Mine' }),
    own(otherMember('200', '403 role_insufficient'), { name: 'Mel' }),
  ),
  row('DELETE /v1/members/:member', 'members:delete', OWNER, theirs('404 member_not_found')),
  row(
    'POST /v1/members/:member/archive',
    'members:delete',
    ADMINS,
    invalid,
    theirs('404 member_not_found', {}),
  ),
  row(
    'POST /v1/members/:member/resend-invite',
    'members:invite',
    ADMINS,
    invalid,
    theirs('404 member_not_found', {}),
  ),
  row(
    'POST /v1/members/:member/card-setup',
    'billing:write',
    ALL,
    invalid,
    theirs(otherMember('404 member_not_found', '403 role_insufficient'), {}),
  ),
  row(
    'DELETE /v1/members/:member/card',
    'billing:write',
    ALL,
    theirs(otherMember('404 member_not_found', '403 role_insufficient')),
  ),
  row('POST /v1/guests/erase', 'members:delete', OWNER, invalid),

  row('GET /v1/invoices', 'billing:read', ALL, ok),
  row('POST /v1/invoices', 'billing:write', ADMINS, invalid),
  row(
    'GET /v1/invoices/:invoice',
    'billing:read',
    ALL,
    theirs('404 invoice_not_found'),
    own(invoiceOfAnother('200')),
  ),
  row(
    'PATCH /v1/invoices/:invoice',
    'billing:write',
    ADMINS,
    invalid,
    theirs('404 invoice_not_found', { metadata: { cost_centre: '42' } }),
    own('200', { metadata: { cost_centre: '42' } }),
  ),
  row(
    'GET /v1/invoices/:invoice.pdf',
    'billing:read',
    ALL,
    theirs('404 invoice_not_found'),
    own(invoiceOfAnother('200')),
  ),
  row(
    'GET /v1/invoices/:invoice/documents',
    'billing:read',
    ALL,
    theirs('404 invoice_not_found'),
    own(invoiceOfAnother('200')),
  ),
  row(
    'GET /v1/invoices/:invoice/documents/:document.pdf',
    'billing:read',
    ALL,
    theirs('404 invoice_not_found'),
    own(invoiceOfAnother('200')),
  ),
  row(
    'POST /v1/invoices/:invoice/send',
    'billing:write',
    ADMINS,
    invalid,
    theirs('404 invoice_not_found', {}),
  ),
  row(
    'POST /v1/invoices/:invoice/remind',
    'billing:write',
    ADMINS,
    invalid,
    theirs('404 invoice_not_found', {}),
  ),
  row(
    'POST /v1/invoices/:invoice/rotate-pay-link',
    'billing:write',
    ADMINS,
    invalid,
    theirs('404 invoice_not_found', {}),
    own('200', {}),
  ),
  row(
    'POST /v1/invoices/:invoice/mark-paid',
    'billing:write',
    ADMINS,
    invalid,
    theirs('404 invoice_not_found', { amount_minor: 1, method: 'cash' }),
  ),
  row(
    'POST /v1/invoices/:invoice/void',
    'billing:write',
    ADMINS,
    invalid,
    theirs('404 invoice_not_found', {}),
  ),
  row(
    'POST /v1/invoices/:invoice/checkout',
    'billing:write',
    ALL,
    invalid,
    theirs('404 invoice_not_found', {}),
  ),
  row(
    'POST /v1/invoices/:invoice/adjustments',
    'billing:write',
    ADMINS,
    invalid,
    theirs('404 invoice_not_found', { lines: [invoiceLine], reason: 'Late' }),
  ),
  row('GET /v1/payments', 'billing:read', BILLING, ok),
  row('GET /v1/payments/:payment', 'billing:read', BILLING, theirs('404 payment_not_found'), own('200')),
  row(
    'GET /v1/payments/:payment.pdf',
    'billing:read',
    ALL,
    theirs('404 payment_not_found'),
    own('404 payment_not_found'),
  ),
  row(
    'POST /v1/payments/:payment/refund',
    'billing:write',
    ADMINS,
    invalid,
    theirs('404 payment_not_found', {}),
  ),

  row('GET /v1/workspace', 'workspace:read', ALL, ok),
  row('PATCH /v1/workspace', 'workspace:write', ADMINS, invalid, {
    body: { name: 'House' },
    response: '200',
  }),
  row('PUT /v1/workspace/logo', 'workspace:write', ADMINS, { response: '415 unsupported_media_type' }),
  row('POST /v1/workspace/processor/onboarding', 'workspace:write', ADMINS, ok),
  row('POST /v1/workspace/accounting/connect', 'workspace:write', ADMINS, ok),
  row('GET /v1/workspace/accounting', 'workspace:read', ADMINS, { response: '412 accounting_unconfigured' }),
  row('POST /v1/workspace/accounting/refresh', 'workspace:write', ADMINS, {
    response: '412 accounting_unconfigured',
  }),
  row('DELETE /v1/workspace/accounting', 'workspace:delete', ADMINS, {
    response: '412 accounting_unconfigured',
  }),
  row('GET /v1/audit-log', 'workspace:read', ADMINS, ok),
  row('GET /v1/reconciliation', 'workspace:read', BILLING, {
    query: `?${ON_NEXT_MONDAY}`,
    response: '200',
  }),
  row('GET /v1/reports/receivables', 'billing:read', BILLING, ok),
  row('GET /v1/reports/tax', 'billing:read', BILLING, { query: '?month=2026-11', response: '200' }),
  row('GET /v1/reports/usage', 'billing:read', BILLING, {
    query: `?${ON_NEXT_MONDAY}`,
    response: '200',
  }),
  row('GET /v1/reports/payouts', 'billing:read', BILLING, ok),
  row('GET /v1/reports/payouts/:payout', 'billing:read', BILLING, theirs('404 not_found'), own('200')),
  row(
    'GET /v1/reports/payouts/:payout/entries',
    'billing:read',
    BILLING,
    theirs('404 not_found'),
    own('200'),
  ),
  row(
    'GET /v1/reconciliations/:reconciliation',
    'workspace:read',
    BILLING,
    theirs('404 not_found'),
    own('200'),
  ),

  row('GET /v1/feeds', 'calendar:read', ALL, ok),
  row(
    'POST /v1/feeds',
    'calendar:write',
    ALL,
    invalid,
    theirs('404 room_not_found', { kind: 'room', id: '00000000-0000-4000-8000-000000000000' }),
    theirs('403 role_insufficient', { kind: 'member', id: 'mem_01kba6xz3fe4r9tq5v8mhc2s1h' }),
  ),
  row('DELETE /v1/feeds/:feed', 'calendar:write', ALL, theirs('404 not_found')),

  row('GET /v1/api-keys', 'credentials:read', ADMINS, ok),
  row('POST /v1/api-keys', 'credentials:write', ADMINS, invalid, {
    body: { name: 'Key', scope: { resources: ['calendar'] } },
    response: '403 auth_scope_insufficient',
  }),
  row('GET /v1/api-keys/:key', 'credentials:read', ADMINS, theirs('404 key_not_found'), own('200')),
  row(
    'PATCH /v1/api-keys/:key',
    'credentials:write',
    ADMINS,
    invalid,
    theirs('404 key_not_found', { name: 'Mine' }),
    own('422 scope_not_narrower', { scope: { resources: ['billing'] } }),
  ),
  row('POST /v1/api-keys/rotate', 'credentials:write', ADMINS, invalid),
  row(
    'POST /v1/api-keys/:key/rotate',
    'credentials:write',
    ADMINS,
    invalid,
    theirs('404 key_not_found', {}),
    own('403 auth_scope_insufficient', {}),
  ),
  row('DELETE /v1/api-keys/:key', 'credentials:delete', ADMINS, theirs('404 key_not_found')),
  row('POST /v1/api-keys/revoke-all', 'credentials:delete', ADMINS, invalid),

  row('GET /v1/oauth-clients', 'credentials:read', ADMINS, ok),
  row('POST /v1/oauth-clients', 'credentials:write', ADMINS, invalid),
  row('DELETE /v1/oauth-clients/:client', 'credentials:delete', ADMINS, theirs('404 not_found')),

  row('GET /v1/booking-page', 'workspace:read', ALL, ok),
  row('PUT /v1/booking-page', 'workspace:write', ADMINS, invalid),
  row('PUT /v1/booking-page/terms', 'workspace:write', ADMINS, {
    query: '?version=1',
    response: '415 unsupported_media_type',
  }),
  row('GET /v1/webhook-endpoint', 'webhooks:read', ADMINS, theirs('404 not_found')),
  row('PUT /v1/webhook-endpoint', 'webhooks:write', ADMINS, invalid),
  row('DELETE /v1/webhook-endpoint', 'webhooks:delete', ADMINS, theirs('404 not_found')),
  row(
    'POST /v1/webhook-endpoint/rotate-secret',
    'webhooks:write',
    ADMINS,
    invalid,
    theirs('404 not_found', {}),
  ),
  row('POST /v1/webhook-endpoint/test', 'webhooks:write', ADMINS, theirs('404 not_found')),
  row('GET /v1/events', 'webhooks:read', ADMINS, ok),
  row('GET /v1/events/:event', 'webhooks:read', ADMINS, theirs('404 event_not_found'), own('200')),
  row('POST /v1/events/:event/redeliver', 'webhooks:write', ADMINS, theirs('404 event_not_found')),
];

/** Every route that takes a publishable key and no secret key. */
export const WITH_PUBLISHABLE_KEY = [
  'GET /v1/public/rooms',
  'GET /v1/public/availability',
  'POST /v1/public/quotes',
  'POST /v1/public/bookings',
  'GET /v1/public/bookings/:token',
];

/** Every route without authentication. */
export const WITHOUT_KEY = [
  'GET /v1/openapi.json',
  'GET /docs',
  'GET /health',
  'GET /health/live',
  'GET /.well-known/security.txt',
  'POST /webhooks/processor',
  'GET /checkout/success',
  'GET /checkout/left',
  'GET /checkout/card',
  'GET /onboarding/done',
  'GET /onboarding/again',
  'GET /accounting/callback',
  'GET /manage/:token',
  'GET /manage/:token/booking.ics',
  'GET /manage/:token/receipt.pdf',
  'GET /manage/:token/documents/:number.pdf',
  'GET /manage/:token/refunds/:refund.pdf',
  'GET /manage/:token/cancel',
  'POST /manage/:token/cancel',
  'GET /manage/:token/extras',
  'POST /manage/:token/extras',
  'GET /manage/:token/move',
  'POST /manage/:token/move',
  'POST /manage/:token/withdraw',
  'GET /feeds/:token.ics',
  'GET /book/embed.js',
  'GET /book/:slug',
  'GET /book/:slug/terms/:version',
  'GET /book/:slug/rooms/:room',
  'GET /book/:slug/rooms/:room/details',
  'POST /book/:slug/rooms/:room/details',
  'GET /confirm/:token',
  'POST /confirm/:token',
  'GET /pay/:token',
  'POST /pay/:token',
  'GET /pay/:token/pdf',
  'GET /pay/:token/documents/:number.pdf',
  'GET /pay/:token/refunds/:refund.pdf',
  'GET /invite/:token',
  'POST /invite/:token',
  'GET /sign-in',
  'POST /sign-in',
  'GET /sign-in/link',
  'POST /sign-in/link',
  'GET /sign-in/workspace',
  'GET /sign-in/:name',
  'POST /sign-in/:name',
  'GET /sso/proof',
  'POST /sso/proof',
  'GET /sso/second-factor',
  'GET /sso/:workspace/metadata',
  'GET /sso/:workspace/callback',
  'GET /sso/:workspace/acs',
  'POST /sso/:workspace/acs',
  'GET /sign-in/code',
  'POST /sign-in/code',
  'GET /sign-in/authenticator',
  'POST /sign-in/authenticator',
  'GET /sign-in/go-on',
  'POST /sign-out',
  'POST /sign-out/everywhere',
  'GET /account',
  'POST /account/sessions/end',
  'POST /passkeys/options/sign_in',
  'POST /passkeys/options/proof',
  'POST /passkeys/options/register',
  'POST /sign-in/passkey',
  'POST /sign-in/code/passkey',
  'POST /account/passkeys/start',
  'GET /account/passkeys/new',
  'POST /account/passkeys',
  'POST /account/passkeys/rename',
  'POST /account/passkeys/remove',
  'POST /account/authenticator',
  'POST /account/recovery-codes',
  'POST /account/email',
  'GET /account/email/:token',
  'POST /account/email/:token',
  'POST /account/applications/withdraw',
  'GET /account/memberships/:workspace',
  'POST /account/memberships/:workspace',
  'GET /',
  'GET /dashboard',
  'GET /dashboard/:workspace',
  'GET /favicon.svg',
  'GET /fonts/:file',
  'GET /pictures/:key',
  'GET /dashboard/:workspace/bookings',
  'GET /dashboard/:workspace/bookings/:id',
  'POST /dashboard/:workspace/bookings/:id/cancel',
  'POST /dashboard/:workspace/bookings/:id/messages',
  'POST /dashboard/:workspace/bookings/:id/no-show',
  'POST /dashboard/:workspace/bookings/:id/payments',
  'POST /dashboard/:workspace/bookings/:id/withdraw-change',
  'POST /dashboard/:workspace/bookings/:id/ask',
  'POST /dashboard/:workspace/bookings/:id/guest',
  'POST /dashboard/:workspace/bookings/:id/metadata',
  'POST /dashboard/:workspace/bookings/:id/send',
  'POST /dashboard/:workspace/bookings/:id/rotate-link',
  'GET /dashboard/:workspace/bookings/:id/change',
  'POST /dashboard/:workspace/bookings/:id/change',
  'GET /dashboard/:workspace/accounting/:consent',
  ...DASHBOARD_ROUTES,
  'GET /.well-known/oauth-authorization-server',
  'GET /oauth/authorize',
  'GET /oauth/authorize/:uid',
  'POST /oauth/token',
  'OPTIONS /oauth/token',
  'POST /oauth/revoke',
  'OPTIONS /oauth/revoke',
  'GET /oauth/consent/:uid',
  'POST /oauth/consent/:uid',
];

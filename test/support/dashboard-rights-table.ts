import { ROLES, type Role } from '../../domain/policies.js';

/**
 * A dashboard page or form, below the workspace's path, and the roles that may use it
 * (docs/rules/members.md#roles). `:member` and the like stand for ids.
 */
export interface DashboardRow {
  route: string;
  roles: readonly Role[];
  /** Those of `roles` that find only their own. The object in the tests belongs to another member. */
  ownOnly?: readonly Role[];
}

const ALL = ROLES;
const NO_MEMBER = ['front_desk', 'billing_contact', 'admin', 'owner'] as const;
const BILLING = ['billing_contact', 'admin', 'owner'] as const;
const DESK = ['front_desk', 'admin', 'owner'] as const;
const ADMINS = ['admin', 'owner'] as const;
const OWNER = ['owner'] as const;

const rows = (roles: readonly Role[], ...routes: string[]): DashboardRow[] =>
  routes.map((route) => ({ route, roles }));

/** Every page and form for search, calendar, money, people, rooms and settings. */
export const DASHBOARD_ROWS: DashboardRow[] = [
  ...rows(ALL, 'GET /search', 'GET /book', 'POST /book'),
  ...rows(ALL, 'GET /invoices'),
  // The front desk sees invoices for bookings, which this one is not.
  ...[
    'GET /invoices/:invoice',
    'GET /invoices/:invoice/pdf',
    'GET /invoices/:invoice/documents/:document.pdf',
    'GET /statements/:statement/pdf',
  ].map((route) => ({ route, roles: ALL, ownOnly: ['member', 'front_desk'] as const })),
  ...rows(ADMINS, 'POST /search/ask'),
  ...rows(
    DESK,
    'GET /day',
    'GET /day/message',
    'POST /day/message',
    'GET /door-signs',
    'GET /preparations',
    'GET /preparations.csv',
    'GET /calendar',
    'POST /calendar/blackout',
    'GET /rooms',
    'GET /rooms/:room',
    'POST /rooms/:room/blackouts',
    'POST /rooms/:room/calendar-address',
    'GET /rooms/:room/blackouts/new',
    'POST /rooms/:room/blackouts/new',
    'GET /rooms/:room/blackouts/:blackout',
    'POST /rooms/:room/blackouts/:blackout',
    'POST /rooms/:room/blackouts/:blackout/again',
    'POST /rooms/:room/blackouts/:blackout/delete',
    'GET /bookings/:booking/summary',
    'GET /guests',
  ),
  ...rows(
    BILLING,
    'GET /invoices.csv',
    'GET /payments',
    'GET /documents.csv',
    'GET /payments.csv',
    'GET /payments/:payment',
    'GET /subscriptions',
    'GET /reconciliation',
    'GET /reports',
    'GET /reports/tax',
    'GET /reports/usage',
    'GET /reports/payouts',
    'GET /reports/payouts/:payout',
    'GET /reports/payouts.csv',
    'GET /reports/receivables.csv',
    'GET /reports/tax.csv',
    'GET /reports/usage.csv',
  ),
  ...rows(
    ADMINS,
    'GET /invoices/new',
    'POST /invoices/new',
    'POST /invoices/:invoice/send',
    'POST /invoices/:invoice/remind',
    'POST /invoices/:invoice/rotate-link',
    'POST /invoices/:invoice/checkout',
    'POST /invoices/:invoice/mark-paid',
    'POST /invoices/:invoice/void',
    'POST /invoices/:invoice/adjust',
    'POST /invoices/:invoice/metadata',
    'POST /payments/:payment/refund',
    'POST /subscriptions/run',
  ),
  ...rows(ALL, 'GET /bookings.csv'),
  ...rows(
    ALL,
    'GET /membership',
    'POST /membership/card',
    'POST /membership/card/remove',
    'POST /membership/calendar-address',
    'POST /membership/statements',
  ),

  ...rows(NO_MEMBER, 'GET /members', 'GET /members/:member'),
  ...rows(BILLING, 'GET /companies', 'GET /companies/:company', 'POST /companies/:company/statements'),
  // The operations also refuse billing contacts and the front desk, after they have found the member.
  // Everybody may use them for themselves.
  ...rows(
    NO_MEMBER,
    'POST /members/:member/details',
    'POST /members/:member/statements',
    'POST /members/:member/card-setup',
    'POST /members/:member/card/remove',
  ),
  ...rows(
    ADMINS,
    'GET /members/new',
    'POST /members/new',
    'GET /members/import',
    'POST /members/import',
    'POST /members/:member/terms',
    'POST /companies/:company/terms',
    'POST /companies/:company/card-setup',
    'POST /companies/:company/card/remove',
    'POST /members/:member/tier',
    'POST /members/:member/role',
    'POST /members/:member/activate',
    'POST /members/:member/pause',
    'POST /members/:member/resend-invite',
    'POST /members/:member/archive',
    'POST /members/:member/forget-login',
    'POST /companies',
    'POST /companies/:company',
    'POST /companies/:company/metadata',
    'POST /members/:member/metadata',
  ),
  ...rows(
    OWNER,
    'POST /members/:member/erase',
    'POST /members/:member/reset-second-factor',
    'POST /guests/erase',
    'GET /sign-in',
    'POST /sign-in/name',
    'POST /sign-in/oidc',
    'POST /sign-in/saml',
    'POST /sign-in/discard',
    'POST /sign-in/test',
    'POST /sign-in/rules',
  ),

  ...rows(
    ADMINS,
    'POST /rooms',
    'GET /rooms/:room/settings',
    'POST /rooms/:room/settings/hours',
    'POST /rooms/:room/settings/price',
    'POST /rooms/:room/settings/details',
    'POST /rooms/:room/settings/appearance',
    'POST /rooms/:room/settings/pictures',
    'POST /rooms/:room/settings/pictures/remove',
    'POST /rooms/:room/settings/arrival',
    'POST /rooms/:room/settings/parts',
    'POST /rooms/:room/settings/refunds',
    'POST /rooms/:room/settings/self-service/on',
    'POST /rooms/:room/settings/self-service/off',
    'POST /rooms/:room/settings/archive',
    'POST /rooms/:room/settings/restore',
    'POST /rooms/:room/copy',
    'POST /rooms/:room/metadata',
    'GET /discounts',
    'POST /discounts',
    'GET /discounts/:discount',
    'POST /discounts/:discount',
    'POST /discounts/:discount/archive',
    'POST /discounts/:discount/restore',
    'GET /extras',
    'POST /extras',
    'GET /extras/:extra',
    'POST /extras/:extra',
    'POST /extras/:extra/archive',
    'POST /extras/:extra/metadata',
    'POST /extras/:extra/restore',
    'GET /rooms/:room/rates',
    'GET /rooms/:room/rates/new',
    'POST /rooms/:room/rates/new',
    'POST /rooms/:room/rates/new/price',
    'POST /rooms/:room/rates/:rate/up',
    'POST /rooms/:room/rates/:rate/remove',
    'GET /rooms/:room/rates/:rate',
    'POST /rooms/:room/rates/:rate',
  ),

  ...rows(
    ADMINS,
    'GET /settings',
    'POST /settings',
    'POST /settings/files',
    'GET /settings/payers',
    'POST /settings/payers',
    'POST /settings/payers/logo',
    'POST /settings/payers/logo/remove',
    'GET /settings/invoices',
    'POST /settings/invoices',
    'GET /settings/bookings',
    'POST /settings/bookings',
    'POST /settings/bookings/emails',
    'GET /settings/sign-in',
    'POST /settings/sign-in',
    'POST /settings/maintenance',
    'POST /settings/maintenance/end',
    'GET /booking-page',
    'POST /booking-page',
    'POST /booking-page/terms',
    'GET /prices',
    'POST /prices/entered',
    'POST /prices/tiers',
    'POST /prices/taxes',
    'GET /processor',
    'POST /processor/onboarding',
    'GET /accounting',
    'POST /accounting',
    'POST /accounting/connect',
    'POST /accounting/refresh',
    'POST /accounting/disconnect',
    'GET /keys',
    'POST /keys',
    'POST /keys/:key/rotate',
    'POST /keys/:key/revoke',
    'POST /keys/grants/:key/revoke',
    'GET /keys/publishable',
    'POST /keys/publishable',
    'GET /applications',
    'POST /applications',
    'POST /applications/:client/remove',
    'GET /webhooks',
    'POST /webhooks',
    'POST /webhooks/test',
    'POST /webhooks/rotate-secret',
    'POST /webhooks/remove',
    'GET /events',
    'POST /events/redeliver',
    'GET /events/:event',
    'POST /events/:event/redeliver',
    'GET /audit-log',
    'GET /audit-log.csv',
  ),
  ...rows(OWNER, 'GET /ownership', 'POST /ownership'),
];

/** The routes of the table in the router's form. */
const ROUTED_AS = {
  blackout: ':blackout_id',
  rate: ':rate_id',
  workspace: ':workspace',
  document: ':number',
};

/** A route of a rights table in the router's form, where most ids are `:id`. */
export const asRouted = (route: string): string =>
  route.replace(/:(\w+)/g, (_, name) => ROUTED_AS[name as keyof typeof ROUTED_AS] ?? ':id');

export const DASHBOARD_ROUTES = DASHBOARD_ROWS.map(({ route }) => {
  const [method, path] = route.split(' ') as [string, string];
  return `${method} /dashboard/:workspace${asRouted(path)}`;
});

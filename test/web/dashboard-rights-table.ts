import type { Role } from '../../domain/policies.js';

/**
 * A page or form of the dashboard, below the workspace's path, and the roles that may use it
 * (docs/rules/members.md#roles). `:member` and the like stand for ids.
 */
export interface DashboardRow {
  route: string;
  roles: readonly Role[];
}

const ALL = ['member', 'billing_contact', 'admin', 'owner'] as const;
const NO_MEMBER = ['billing_contact', 'admin', 'owner'] as const;
const ADMINS = ['admin', 'owner'] as const;
const OWNER = ['owner'] as const;

const rows = (roles: readonly Role[], ...routes: string[]): DashboardRow[] =>
  routes.map((route) => ({ route, roles }));

/** Every page and form of search, calendar, money, people, rooms and settings. */
export const DASHBOARD_ROWS: DashboardRow[] = [
  ...rows(ALL, 'GET /search', 'GET /book', 'POST /book'),
  ...rows(ADMINS, 'POST /search/ask', 'GET /calendar', 'POST /calendar/blackout'),
  ...rows(
    NO_MEMBER,
    'GET /invoices',
    'GET /invoices.csv',
    'GET /invoices/:invoice',
    'GET /invoices/:invoice/pdf',
    'GET /payments',
    'GET /payments.csv',
    'GET /payments/:payment',
    'GET /subscriptions',
    'GET /reconciliation',
  ),
  ...rows(
    ADMINS,
    'GET /invoices/new',
    'POST /invoices/new',
    'POST /invoices/:invoice/send',
    'POST /invoices/:invoice/checkout',
    'POST /invoices/:invoice/mark-paid',
    'POST /invoices/:invoice/void',
    'POST /invoices/:invoice/adjust',
    'POST /payments/:payment/refund',
    'POST /subscriptions/run',
  ),
  ...rows(ALL, 'GET /bookings.csv'),

  ...rows(NO_MEMBER, 'GET /members', 'GET /members/:member', 'GET /companies', 'GET /companies/:company'),
  // The operations refuse billing contacts too, after they have found the member. Everybody may for themselves.
  ...rows(
    NO_MEMBER,
    'POST /members/:member/details',
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
    'POST /companies',
    'POST /companies/:company',
    'GET /guests',
  ),
  ...rows(
    OWNER,
    'POST /members/:member/erase',
    'POST /members/:member/reset-second-factor',
    'POST /guests/erase',
  ),

  ...rows(
    ADMINS,
    'GET /rooms',
    'POST /rooms',
    'GET /rooms/:room',
    'POST /rooms/:room/hours',
    'POST /rooms/:room/price',
    'POST /rooms/:room/details',
    'POST /rooms/:room/refunds',
    'POST /rooms/:room/self-service/on',
    'POST /rooms/:room/self-service/off',
    'POST /rooms/:room/archive',
    'POST /rooms/:room/restore',
    'POST /rooms/:room/blackouts',
    'POST /rooms/:room/blackouts/:blackout/delete',
  ),

  ...rows(
    ADMINS,
    'GET /settings',
    'POST /settings',
    'POST /settings/maintenance',
    'POST /settings/maintenance/end',
    'GET /prices',
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

/** The routes of the table as the router has them. */
export const DASHBOARD_ROUTES = DASHBOARD_ROWS.map(({ route }) => {
  const [method, path] = route.split(' ') as [string, string];
  const routed = path.replace(/:(\w+)/g, (_, name) => (name === 'blackout' ? ':blackout_id' : ':id'));
  return `${method} /dashboard/:workspace${routed}`;
});

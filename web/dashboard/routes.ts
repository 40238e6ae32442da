import type Router from '@koa/router';
import type { ApiDependencies } from '../../api/dependencies.js';
import { route } from '../../api/http/context.js';
import { limited } from '../../api/http/limits.js';
import { newRouter } from '../../api/http/router.js';
import { browser, signedInAnyhow } from '../ui/browser.js';
import { accounting } from './accounting/accounting.js';
import { applications } from './applications/applications.js';
import { auditLog } from './audit-log/audit-log.js';
import { bookingPage } from './booking-page/booking-page.js';
import { blackouts } from './blackouts/blackout.js';
import { bookings } from './bookings/bookings.js';
import { companies } from './companies/companies.js';
import { events } from './events/events.js';
import { exportsSection } from './exports/section.js';
import { day } from './bookings/day/section.js';
import { discounts } from './discounts/discounts.js';
import { extras } from './extras/extras.js';
import { guests } from './guests/guests.js';
import { invoices } from './invoices/invoices.js';
import { calendar } from './calendar/section.js';
import { keys } from './api-keys/keys.js';
import { showFeed } from './members/membership/calendar-address.js';
import { membership } from './members/membership/membership.js';
import { members } from './members/section.js';
import { overview } from './overview/overview.js';
import { ownership } from './members/ownership.js';
import { statements } from './invoices/payers/statements.js';
import { payments } from './payments/payments.js';
import { reconciliation } from './reconciliation/reconciliation.js';
import { reports } from './reports/reports.js';
import { rates } from './rates/rates.js';
import { rooms } from './rooms/rooms.js';
import { settings } from './workspaces/section.js';
import { search } from './search/search.js';
import { addSection } from './shared/section.js';
import { signIn } from './single-sign-on/single-sign-on.js';
import { redirectBrowsers, showWorkspaces } from './shared/workspace.js';
import { webhooks } from './events/webhooks/webhooks.js';
import { subscriptions } from './subscriptions/subscriptions.js';

/** The pages of a workspace. */
export const SECTIONS = [
  overview,
  search,
  calendar,
  bookings,
  day,
  invoices,
  statements,
  payments,
  subscriptions,
  reconciliation,
  reports,
  exportsSection,
  membership,
  members,
  companies,
  guests,
  blackouts,
  rooms,
  rates,
  discounts,
  extras,
  settings,
  signIn,
  bookingPage,
  keys,
  applications,
  webhooks,
  events,
  auditLog,
  accounting,
  ownership,
];

/** The dashboard: for operators what needs attention, for members their own bookings. */
export function dashboardRoutes(deps: ApiDependencies): Router {
  const router = newRouter();
  router.get('/', ...route(limited(deps, { byAddress: true }), redirectBrowsers));
  router.get('/dashboard', ...route(browser(deps), signedInAnyhow, showWorkspaces(deps)));
  router.get('/feeds/:token.ics', ...route(showFeed(deps)));
  for (const section of SECTIONS) addSection(router, deps, section);
  return router;
}

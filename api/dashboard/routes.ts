import Router from '@koa/router';
import type { ApiDependencies } from '../app.js';
import { route } from '../http/context.js';
import { validQuery } from '../http/validate.js';
import { browser, signedIn, pageForm } from '../sign-in/browser.js';
import { cancelFields, cancelFromPage, markFromPage, showBooking } from './booking.js';
import { bookingsQuery, showBookings } from './bookings.js';
import { showOverview } from './overview.js';
import { allowed, inWorkspace, showWorkspaces } from './workspace.js';

/** The dashboard: what an operator looks at when something is stuck, and what a member has booked. */
export function dashboardRoutes(deps: ApiDependencies): Router {
  const router = new Router();
  const page = browser(deps);
  const member = inWorkspace(deps);
  router.get('/dashboard', ...route(page, signedIn, showWorkspaces(deps)));
  router.get('/dashboard/:workspace', ...route(page, signedIn, member, showOverview(deps)));
  router.get(
    '/dashboard/:workspace/bookings',
    ...route(page, signedIn, member, validQuery(bookingsQuery), showBookings(deps)),
  );
  router.get('/dashboard/:workspace/bookings/:id', ...route(page, signedIn, member, showBooking(deps)));
  router.post(
    '/dashboard/:workspace/bookings/:id/cancel',
    ...route(page, signedIn, member, pageForm(cancelFields), cancelFromPage(deps)),
  );
  router.post(
    '/dashboard/:workspace/bookings/:id/no-show',
    ...route(page, signedIn, member, allowed('all_bookings'), pageForm(), markFromPage(deps)),
  );
  return router;
}

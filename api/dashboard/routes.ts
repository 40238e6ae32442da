import Router from '@koa/router';
import type { ApiDependencies } from '../dependencies.js';
import { route, type Handler } from '../http/context.js';
import { validQuery } from '../http/validate.js';
import { browser, signedIn, pageForm } from '../sign-in/browser.js';
import {
  applicationFields,
  registerApplication,
  removeApplication,
  showApplications,
} from './applications.js';
import { cancelFields, cancelFromPage, markFromPage } from './booking-actions.js';
import { showBooking } from './booking.js';
import { bookingsQuery, showBookings } from './bookings.js';
import { onceFields } from './form.js';
import { keyFields, makeKey, revokeFromPage, rotateFromPage } from './key-actions.js';
import { showKeys } from './keys.js';
import { showOverview } from './overview.js';
import { askForOwner, handOver, ownershipFields } from './ownership.js';
import { orAgain } from './refusal.js';
import {
  endpointFields,
  putFromPage,
  removeFromPage,
  renewSecretFromPage,
  showWebhooks,
  testFromPage,
} from './webhooks.js';
import { allowed, inWorkspace, leadBrowsersIn, showWorkspaces } from './workspace.js';

/** The dashboard: what an operator looks at when something is stuck, and what a member has booked. */
export function dashboardRoutes(deps: ApiDependencies): Router {
  const router = new Router();
  const page = browser(deps);
  const member = inWorkspace(deps);
  const again = (show: (deps: ApiDependencies) => Handler): Handler => orAgain(deps, show(deps));
  router.get('/', ...route(leadBrowsersIn));
  router.get('/dashboard', ...route(page, signedIn, showWorkspaces(deps)));
  router.get('/dashboard/:workspace', ...route(page, signedIn, member, showOverview(deps)));
  router.get(
    '/dashboard/:workspace/bookings',
    ...route(page, signedIn, member, validQuery(bookingsQuery), showBookings(deps)),
  );
  router.get('/dashboard/:workspace/bookings/:id', ...route(page, signedIn, member, showBooking(deps)));
  router.post(
    '/dashboard/:workspace/bookings/:id/cancel',
    ...route(page, signedIn, member, again(showBooking), pageForm(cancelFields), cancelFromPage(deps)),
  );
  router.post(
    '/dashboard/:workspace/bookings/:id/no-show',
    ...route(
      page,
      signedIn,
      member,
      allowed('all_bookings'),
      again(showBooking),
      pageForm(),
      markFromPage(deps),
    ),
  );

  const keeper = allowed('manage_keys');
  const keys = '/dashboard/:workspace/keys';
  router.get(keys, ...route(page, signedIn, member, keeper, showKeys(deps)));
  router.post(
    keys,
    ...route(page, signedIn, member, keeper, again(showKeys), pageForm(keyFields), makeKey(deps)),
  );
  router.post(
    `${keys}/:id/rotate`,
    ...route(page, signedIn, member, keeper, again(showKeys), pageForm(onceFields), rotateFromPage(deps)),
  );
  router.post(
    `${keys}/:id/revoke`,
    ...route(page, signedIn, member, keeper, again(showKeys), pageForm(), revokeFromPage(deps)),
  );

  const applications = '/dashboard/:workspace/applications';
  router.get(applications, ...route(page, signedIn, member, keeper, showApplications(deps)));
  router.post(
    applications,
    ...route(
      page,
      signedIn,
      member,
      keeper,
      again(showApplications),
      pageForm(applicationFields),
      registerApplication(deps),
    ),
  );
  router.post(
    `${applications}/:id/remove`,
    ...route(page, signedIn, member, keeper, again(showApplications), pageForm(), removeApplication(deps)),
  );

  const owner = allowed('transfer_ownership');
  const ownership = '/dashboard/:workspace/ownership';
  router.get(ownership, ...route(page, signedIn, member, owner, askForOwner(deps)));
  router.post(
    ownership,
    ...route(page, signedIn, member, owner, again(askForOwner), pageForm(ownershipFields), handOver(deps)),
  );

  const sender = allowed('manage_webhooks');
  const webhooks = '/dashboard/:workspace/webhooks';
  router.get(webhooks, ...route(page, signedIn, member, sender, showWebhooks(deps)));
  router.post(
    webhooks,
    ...route(
      page,
      signedIn,
      member,
      sender,
      again(showWebhooks),
      pageForm(endpointFields),
      putFromPage(deps),
    ),
  );
  const actions = {
    test: { fields: {}, action: testFromPage },
    'rotate-secret': { fields: onceFields, action: renewSecretFromPage },
    remove: { fields: {}, action: removeFromPage },
  };
  for (const [name, { fields, action }] of Object.entries(actions))
    router.post(
      `${webhooks}/${name}`,
      ...route(page, signedIn, member, sender, again(showWebhooks), pageForm(fields), action(deps)),
    );
  return router;
}

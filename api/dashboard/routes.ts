import Router from '@koa/router';
import type joi from 'joi';
import type { Capability } from '../../domain/policies.js';
import type { ApiDependencies } from '../dependencies.js';
import { route, type Handler } from '../http/context.js';
import { validQuery } from '../http/validate.js';
import { browser, pageForm, signedIn } from '../sign-in/browser.js';
import { showAccounting } from './accounting.js';
import {
  accountingFields,
  connectFromPage,
  disconnectFromPage,
  refreshFromPage,
  saveFromPage,
} from './accounting-actions.js';
import {
  applicationFields,
  registerApplication,
  removeApplication,
  showApplications,
} from './applications.js';
import { cancelFields, cancelFromPage, markNoShowFromPage } from './booking-actions.js';
import { showBooking } from './booking.js';
import { bookingsQuery, showBookings } from './bookings.js';
import { formIdFields } from './form.js';
import { createFromPage, keyFields, revokeFromPage, rotateFromPage } from './key-actions.js';
import { showKeys } from './keys.js';
import { showOverview } from './overview.js';
import { ownershipFields, showOwnership, transferFromPage } from './ownership.js';
import { redisplayOnError } from './rejection.js';
import {
  deleteFromPage,
  endpointFields,
  putFromPage,
  rotateSecretFromPage,
  testFromPage,
} from './webhook-actions.js';
import { showWebhooks } from './webhooks.js';
import { inWorkspace, redirectBrowsers, requiresCapability, showWorkspaces } from './workspace.js';

type Page = (deps: ApiDependencies) => Handler;

/** A form of a page: its path after the page's, its fields and what it does. */
type FormRoute = [path: string, fields: Record<string, joi.Schema>, action: Page];

/** The dashboard: for operators what needs attention, for members their own bookings. */
export function dashboardRoutes(deps: ApiDependencies): Router {
  const router = new Router();
  const page = browser(deps);
  const member = inWorkspace(deps);

  /** A page of a workspace and its forms, for roles with a capability. */
  function section(path: string, capability: Capability, show: Page, forms: FormRoute[]): void {
    const can = requiresCapability(capability);
    const at = `/dashboard/:workspace${path}`;
    router.get(at, ...route(page, signedIn, member, can, show(deps)));
    const redisplay = redisplayOnError(deps, show(deps));
    for (const [path, fields, action] of forms)
      router.post(
        at + path,
        ...route(page, signedIn, member, can, redisplay, pageForm(fields), action(deps)),
      );
  }

  router.get('/', ...route(redirectBrowsers));
  router.get('/dashboard', ...route(page, signedIn, showWorkspaces(deps)));
  router.get('/dashboard/:workspace', ...route(page, signedIn, member, showOverview(deps)));
  router.get(
    '/dashboard/:workspace/bookings',
    ...route(page, signedIn, member, validQuery(bookingsQuery), showBookings(deps)),
  );
  section('/bookings/:id', 'own_bookings', showBooking, [['/cancel', cancelFields, cancelFromPage]]);
  router.post(
    '/dashboard/:workspace/bookings/:id/no-show',
    ...route(
      page,
      signedIn,
      member,
      requiresCapability('all_bookings'),
      redisplayOnError(deps, showBooking(deps)),
      pageForm(),
      markNoShowFromPage(deps),
    ),
  );
  section('/keys', 'manage_keys', showKeys, [
    ['', keyFields, createFromPage],
    ['/:id/rotate', formIdFields, rotateFromPage],
    ['/:id/revoke', {}, revokeFromPage],
  ]);
  section('/applications', 'manage_keys', showApplications, [
    ['', applicationFields, registerApplication],
    ['/:id/remove', {}, removeApplication],
  ]);
  section('/webhooks', 'manage_webhooks', showWebhooks, [
    ['', endpointFields, putFromPage],
    ['/test', {}, testFromPage],
    ['/rotate-secret', formIdFields, rotateSecretFromPage],
    ['/remove', {}, deleteFromPage],
  ]);
  section('/accounting', 'write_workspace', showAccounting, [
    ['', accountingFields, saveFromPage],
    ['/connect', {}, connectFromPage],
    ['/refresh', {}, refreshFromPage],
    ['/disconnect', {}, disconnectFromPage],
  ]);
  section('/ownership', 'transfer_ownership', showOwnership, [['', ownershipFields, transferFromPage]]);
  return router;
}

import type Router from '@koa/router';
import type { ApiDependencies } from '../../../api/dependencies.js';
import { route } from '../../../api/http/context.js';
import { withLink } from './access.js';
import { showBooking } from './booking.js';
import { cancel, showCancel } from './cancel.js';
import { calendarFile, receipt, refundFile } from './files.js';
import { move } from './make-move.js';
import { showMove } from './move.js';
import { withdraw } from './pending-change.js';

/** The pages of the link with which a payer manages a booking (docs/rules/bookings.md#manage-link). */
export function addManageRoutes(router: Router, deps: ApiDependencies): void {
  const path = '/manage/:token';
  const costly = { costly: true };
  const changes = { changes: true };
  router.get(path, ...route(withLink(deps, showBooking(deps))));
  router.get(`${path}/booking.ics`, ...route(withLink(deps, calendarFile)));
  router.get(`${path}/receipt.pdf`, ...route(withLink(deps, receipt(deps), costly)));
  router.get(`${path}/refunds/:refund.pdf`, ...route(withLink(deps, refundFile(deps), costly)));
  router.get(`${path}/cancel`, ...route(withLink(deps, showCancel(deps), changes)));
  router.post(`${path}/cancel`, ...route(withLink(deps, cancel(deps), { ...costly, ...changes })));
  router.get(`${path}/move`, ...route(withLink(deps, showMove(deps), { ...costly, ...changes })));
  router.post(`${path}/withdraw`, ...route(withLink(deps, withdraw(deps), { ...costly, ...changes })));
  router.post(`${path}/move`, ...route(withLink(deps, move(deps), { ...costly, ...changes })));
}

import type Router from '@koa/router';
import type { ApiDependencies } from '../../../api/dependencies.js';
import { route } from '../../../api/http/context.js';
import { withLink, type Options } from './access.js';
import { showBooking } from './booking.js';
import { cancel, cancelFields, showCancel } from './cancel.js';
import { calendarFile, receipt, refundFile } from './files.js';
import { move, moveFields } from './make-move.js';
import { showMove } from './move.js';
import { withdraw } from './pending-change.js';

/** The pages of the link with which a payer manages a booking (docs/rules/bookings.md#manage-link). */
export function addManageRoutes(router: Router, deps: ApiDependencies): void {
  const path = '/manage/:token';
  const costly = { costly: true };
  const changes = { changes: true };
  const submits = (form: Options['form']): Options => ({ costly: true, changes: true, form });
  router.get(path, ...route(withLink(deps, showBooking(deps))));
  router.get(`${path}/booking.ics`, ...route(withLink(deps, calendarFile)));
  router.get(`${path}/receipt.pdf`, ...route(withLink(deps, receipt(deps), costly)));
  router.get(`${path}/refunds/:refund.pdf`, ...route(withLink(deps, refundFile(deps), costly)));
  router.get(`${path}/cancel`, ...route(withLink(deps, showCancel(deps), changes)));
  router.post(`${path}/cancel`, ...route(withLink(deps, cancel(deps), submits(cancelFields))));
  router.get(`${path}/move`, ...route(withLink(deps, showMove(deps), { ...costly, ...changes })));
  router.post(`${path}/withdraw`, ...route(withLink(deps, withdraw(deps), submits({}))));
  router.post(`${path}/move`, ...route(withLink(deps, move(deps), submits(moveFields))));
}

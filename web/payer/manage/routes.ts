import type Router from '@koa/router';
import type { ApiDependencies } from '../../../api/dependencies.js';
import { route } from '../../../api/http/context.js';
import { limitPages } from '../link-limits.js';
import { withLink, type Options } from './access.js';
import { showBooking } from './booking.js';
import { cancel, cancelFields, showCancel } from './cancel.js';
import { changeExtras, extrasFields, showExtras } from './extras.js';
import { calendarFile, documentFile, receipt, refundPdf } from './files.js';
import { move, moveFields } from './make-move.js';
import { showMove } from './move.js';
import { withdraw } from './pending-change.js';

/** The pages of the link with which a payer manages a booking (docs/rules/bookings.md#manage-link). */
export function addManageRoutes(router: Router, deps: ApiDependencies): void {
  const path = '/manage/:token';
  const document = { document: true };
  const changes = { changes: true };
  const submits = (form: Options['form']): Options => ({ changes: true, form });
  router.get(path, ...route(limitPages, withLink(deps, showBooking(deps))));
  router.get(`${path}/booking.ics`, ...route(limitPages, withLink(deps, calendarFile, { file: true })));
  router.get(`${path}/receipt.pdf`, ...route(limitPages, withLink(deps, receipt(deps), document)));
  router.get(
    `${path}/documents/:number.pdf`,
    ...route(limitPages, withLink(deps, documentFile(deps), document)),
  );
  router.get(`${path}/refunds/:refund.pdf`, ...route(limitPages, withLink(deps, refundPdf(deps), document)));
  router.get(`${path}/cancel`, ...route(limitPages, withLink(deps, showCancel(deps), changes)));
  router.post(`${path}/cancel`, ...route(limitPages, withLink(deps, cancel(deps), submits(cancelFields))));
  router.get(`${path}/move`, ...route(limitPages, withLink(deps, showMove(deps), changes)));
  router.get(`${path}/extras`, ...route(limitPages, withLink(deps, showExtras(deps), changes)));
  router.post(
    `${path}/extras`,
    ...route(limitPages, withLink(deps, changeExtras(deps), submits(extrasFields))),
  );
  router.post(`${path}/withdraw`, ...route(limitPages, withLink(deps, withdraw(deps), submits({}))));
  router.post(`${path}/move`, ...route(limitPages, withLink(deps, move(deps), submits(moveFields))));
}

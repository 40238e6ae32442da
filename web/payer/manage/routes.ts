import type Router from '@koa/router';
import type { ApiDependencies } from '../../../api/dependencies.js';
import { route } from '../../../api/http/context.js';
import { keepsAnswers } from '../../ui/browser.js';
import { keepingLanguage } from '../../ui/language.js';
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
  const shown = [keepsAnswers, keepingLanguage(deps), limitPages];
  const path = '/manage/:token';
  const document = { document: true };
  const changes = { changes: true };
  const submits = (form: Options['form']): Options => ({ changes: true, form });
  router.get(path, ...route(...shown, withLink(deps, showBooking(deps))));
  router.get(`${path}/booking.ics`, ...route(...shown, withLink(deps, calendarFile, { file: true })));
  router.get(`${path}/receipt.pdf`, ...route(...shown, withLink(deps, receipt(deps), document)));
  router.get(
    `${path}/documents/:number.pdf`,
    ...route(...shown, withLink(deps, documentFile(deps), document)),
  );
  router.get(`${path}/refunds/:refund.pdf`, ...route(...shown, withLink(deps, refundPdf(deps), document)));
  router.get(`${path}/cancel`, ...route(...shown, withLink(deps, showCancel(deps), changes)));
  router.post(`${path}/cancel`, ...route(...shown, withLink(deps, cancel(deps), submits(cancelFields))));
  router.get(`${path}/move`, ...route(...shown, withLink(deps, showMove(deps), changes)));
  router.get(`${path}/extras`, ...route(...shown, withLink(deps, showExtras(deps), changes)));
  router.post(
    `${path}/extras`,
    ...route(...shown, withLink(deps, changeExtras(deps), submits(extrasFields))),
  );
  router.post(`${path}/withdraw`, ...route(...shown, withLink(deps, withdraw(deps), submits({}))));
  router.post(`${path}/move`, ...route(...shown, withLink(deps, move(deps), submits(moveFields))));
}

import type Router from '@koa/router';
import type { ApiDependencies } from '../../api/dependencies.js';
import { readInTurns } from '../../api/http/concurrency.js';
import { route } from '../../api/http/context.js';
import { newRouter } from '../../api/http/router.js';
import { limitPages } from '../payer/link-limits.js';
import { errorPages, keepsAnswers } from '../ui/browser.js';
import { inLanguage } from '../ui/language.js';
import { askConfirmation, confirm, confirmErrors } from './confirm.js';
import { EMBED_PATH, sendEmbedScript } from './embedding.js';
import { withPage, withRoom } from './page.js';
import { showRooms } from './rooms.js';
import { askDetails, book } from './submit.js';
import { showTerms } from './terms.js';
import { showTimes } from './times.js';

/** The pages on which public guests book (docs/rules/booking-page.md), without a sign-in or cookies. */
export function bookingRoutes(deps: ApiDependencies): Router {
  const router = newRouter();
  const path = '/book/:slug';
  const room = `${path}/rooms/:room`;
  const shown = [keepsAnswers, inLanguage, errorPages(deps)];
  router.get(EMBED_PATH, ...route(sendEmbedScript));
  router.get(path, ...route(...shown, limitPages, withPage(deps, showRooms(deps))));
  router.get(room, ...route(...shown, limitPages, withRoom(deps, showTimes(deps))));
  router.get(`${room}/details`, ...route(...shown, limitPages, withRoom(deps, askDetails(deps))));
  router.post(`${room}/details`, ...route(...shown, limitPages, withRoom(deps, book(deps))));
  router.get(`${path}/terms/:version`, ...route(...shown, limitPages, readInTurns(), showTerms(deps)));
  const outages = confirmErrors(deps);
  router.get('/confirm/:token', ...route(...shown, limitPages, outages, askConfirmation(deps)));
  router.post('/confirm/:token', ...route(...shown, limitPages, outages, confirm(deps)));
  return router;
}

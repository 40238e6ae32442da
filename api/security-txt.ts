import type Router from '@koa/router';
import { DAY_MS } from '../domain/durations.js';
import type { ApiDependencies } from './dependencies.js';
import { route, type Handler } from './http/context.js';
import { limited } from './http/limits.js';
import { newRouter } from './http/router.js';
import { ApiError } from '../domain/errors.js';

/** How long the file is valid: less than a year, as RFC 9116 recommends. */
const VALID_DAYS = 180;

/**
 * `GET /.well-known/security.txt` (RFC 9116): where to report a vulnerability. Errors: 404 without a contact.
 */
export function securityTxtRoutes(
  deps: Pick<ApiDependencies, 'authenticateAndLimit' | 'securityContact' | 'publicUrl'>,
): Router {
  const router = newRouter();
  const path = '/.well-known/security.txt';
  const show: Handler = async (ctx) => {
    const { securityContact, publicUrl } = deps;
    if (!securityContact) throw new ApiError('not_found', 'This path does not exist.');
    const expires = new Date(Date.now() + VALID_DAYS * DAY_MS).toISOString();
    ctx.type = 'text/plain; charset=utf-8';
    ctx.body = [
      `Contact: ${securityContact}`,
      `Expires: ${expires}`,
      `Canonical: ${publicUrl}${path}`,
      '',
    ].join('\n');
  };
  router.get(path, ...route(limited(deps), show));
  return router;
}

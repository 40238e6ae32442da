import type { ApiContext } from '../../../api/http/context.js';

const COOKIE = 'holdfast_notice';
const SHOWN_WITHIN_SECONDS = 60;
const MAX_LENGTH = 500;

/**
 * Redirects to a page that shows a notice about what was done. The notice is a cookie for that path only, so that a link
 * cannot contain one and no other tab shows it. `path` may have a query.
 */
export function redirectWithNotice(ctx: ApiContext, path: string, notice: string): void {
  ctx.cookies.set(COOKIE, Buffer.from(notice.slice(0, MAX_LENGTH)).toString('base64url'), {
    path: path.replace(/[?#].*/, ''),
    maxAge: SHOWN_WITHIN_SECONDS * 1000,
    httpOnly: true,
    sameSite: 'lax',
    overwrite: true,
  });
  ctx.redirect(path);
}

/** The notice for the current page, which is then shown once. */
export function takeNotice(ctx: ApiContext): string | null {
  const value = ctx.cookies.get(COOKIE);
  if (!value) return null;
  ctx.cookies.set(COOKIE, null, { path: ctx.path, httpOnly: true, sameSite: 'lax', overwrite: true });
  return Buffer.from(value, 'base64url').toString();
}

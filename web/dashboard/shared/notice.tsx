import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { ApiContext } from '../../../api/http/context.js';

const COOKIE = 'holdfast_notice';
const SHOWN_WITHIN_SECONDS = 60;
const MAX_LENGTH = 500;

/**
 * Redirects to a page that shows a notice about what was done. The notice is a cookie for that path only, so
 * that a link cannot contain one and no other tab shows it. `path` may have a query, and an anchor whose part
 * of the page shows the notice (`NoticeAt`).
 */
export function redirectWithNotice(ctx: ApiContext, path: string, notice: string): void {
  const parts = [notice.slice(0, MAX_LENGTH), new URL(path, 'https://page.example').hash.slice(1)];
  const value = parts.flatMap((part) => (part ? Buffer.from(part).toString('base64url') : [])).join('.');
  ctx.cookies.set(COOKIE, value, {
    path: path.replace(/[?#].*/, ''),
    maxAge: SHOWN_WITHIN_SECONDS * 1000,
    httpOnly: true,
    sameSite: 'lax',
    overwrite: true,
  });
  ctx.redirect(path);
}

/** A notice, and the anchor of the part of the page that it is about. */
export interface Notice {
  text: string;
  at: string | null;
}

/** The notice for the current page, which is then shown once. */
export function takeNotice(ctx: ApiContext): Notice | null {
  const value = ctx.cookies.get(COOKIE);
  if (!value) return null;
  ctx.cookies.set(COOKIE, null, { path: ctx.path, httpOnly: true, sameSite: 'lax', overwrite: true });
  const [text, at] = value.split('.').map((part) => Buffer.from(part, 'base64url').toString());
  return { text: text!, at: at || null };
}

/** The notice of the page that is shown. */
export const NoticeContext = createContext<Notice | null>(null);

/** The notice for a part of the page; without `at`, for the whole page. */
export function NoticeAt({ at = null }: { at?: string | null }) {
  const notice = useContext(NoticeContext);
  if (notice?.at !== at) return null;
  return (
    <p class="card notice" role="status">
      {notice.text}
    </p>
  );
}

import type Router from '@koa/router';
import { route, type Handler } from '../../api/http/context.js';
import { newRouter } from '../../api/http/router.js';

const DRAWING =
  '<rect width="32" height="32" rx="8" fill="#1e5f7f"/><path d="M10 8v16M22 8v16M10 16h12" fill="none" ' +
  'stroke="#fff" stroke-width="4" stroke-linecap="round"/>';

/** The product's logo mark. */
export const Mark = ({ size = 24 }: { size?: number }) => (
  <svg
    viewBox="0 0 32 32"
    width={size}
    height={size}
    aria-hidden="true"
    dangerouslySetInnerHTML={{ __html: DRAWING }}
  />
);

export const ICON_PATH = '/favicon.svg';

const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${DRAWING}</svg>`;

const showIcon: Handler = async (ctx) => {
  ctx.type = 'image/svg+xml';
  ctx.set('Cache-Control', 'public, max-age=86400');
  ctx.body = ICON;
};

/** The icon of all pages. Not rate limited, because it is a constant. */
export function brandRoutes(): Router {
  const router = newRouter();
  router.get(ICON_PATH, ...route(showIcon));
  return router;
}

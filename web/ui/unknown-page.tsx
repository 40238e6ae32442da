import type { Middleware } from 'koa';
import type { ApiContext } from '../../api/http/context.js';
import { showPage } from './layout.js';

/** Whether the request comes from a browser, not from a program or for the API. */
const isPage = (ctx: ApiContext): boolean =>
  ctx.method === 'GET' && !ctx.path.startsWith('/v1/') && ctx.accepts('json', 'html') === 'html';

/** Whether this is the address of a page's form, which browsers show after a rejected form. */
const isOfForm = ({ status, path }: ApiContext): boolean =>
  status === 405 && /^\/(dashboard|manage)\/./.test(path);

/**
 * Shows a page for unknown addresses and redirects from the address of a form to its page. Programs get the
 * API's error.
 */
export const unknownPages: Middleware = async (ctx, next) => {
  await next();
  const asked = ctx as unknown as ApiContext;
  if (isOfForm(asked) && isPage(asked)) return ctx.redirect(ctx.path.slice(0, ctx.path.lastIndexOf('/')));
  if (ctx.status !== 404 || ctx.body !== undefined || !isPage(asked)) return;
  showPage(asked, 404, {
    title: 'This page does not exist',
    mark: 'bad',
    children: (
      <>
        <p>Check the address, or open the link in your email again.</p>
        <p>
          <a href="/dashboard">Go to dashboard</a>
        </p>
      </>
    ),
  });
};

import type Router from '@koa/router';
import type { ApiDependencies } from '../../api/dependencies.js';
import { route, type Handler } from '../../api/http/context.js';
import { newRouter } from '../../api/http/router.js';
import { isPictureKey, typeOfPicture } from '../../domain/picture.js';

/** A picture never changes, since its address is made from its content. */
const FOREVER = 'public, max-age=31536000, immutable';

/** `GET /pictures/:key`: an uploaded picture. Who has its address may see it. */
const showPicture =
  ({ pictures }: Pick<ApiDependencies, 'pictures'>): Handler =>
  async (ctx) => {
    const key = ctx.params.key!;
    const content = pictures && isPictureKey(key) ? await pictures.get(key) : null;
    if (!content || !isPictureKey(key)) return;
    ctx.set('Cache-Control', FOREVER);
    ctx.set('X-Content-Type-Options', 'nosniff');
    ctx.set('Content-Security-Policy', "default-src 'none'; sandbox");
    ctx.set('Cross-Origin-Resource-Policy', 'cross-origin');
    ctx.type = typeOfPicture(key);
    ctx.body = Buffer.from(content);
  };

/** Uploaded pictures (docs/rules/rooms.md#pictures). They are cached for good, so they are not limited. */
export function pictureRoutes(deps: ApiDependencies): Router {
  const router = newRouter();
  router.get('/pictures/:key', ...route(showPicture(deps)));
  return router;
}

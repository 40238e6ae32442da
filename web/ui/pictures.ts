import type Router from '@koa/router';
import type { ApiDependencies } from '../../api/dependencies.js';
import { isStored } from '../../commands/rooms/pictures/pictures.js';
import { readInTurns } from '../../api/http/concurrency.js';
import { route, type Handler } from '../../api/http/context.js';
import { limiter } from '../../api/http/limits.js';
import { newRouter } from '../../api/http/router.js';
import { isPictureKey, typeOfPicture } from '../../domain/rooms/picture.js';

/** A picture never changes, because its address is derived from its content. */
const FOREVER = 'public, max-age=31536000, immutable';

/**
 * `GET /pictures/:key`: an uploaded picture. Anyone with its address may see it. Requests for unknown
 * addresses are rate limited.
 */
function showPicture(deps: ApiDependencies): Handler {
  const { db, pictures } = deps;
  const limit = limiter(deps);
  return async (ctx) => {
    const key = ctx.params.key!;
    const picture =
      pictures && isPictureKey(key) && (await isStored(db.manager, key)) ? await pictures.get(key) : null;
    if (!picture || !isPictureKey(key)) return void (await limit(ctx, { byAddress: true }));
    ctx.set('Cache-Control', FOREVER);
    ctx.set('X-Content-Type-Options', 'nosniff');
    ctx.set('Content-Security-Policy', "default-src 'none'; sandbox");
    ctx.set('Cross-Origin-Resource-Policy', 'cross-origin');
    ctx.type = typeOfPicture(key);
    ctx.length = picture.bytes;
    ctx.body = picture.content;
  };
}

/**
 * Uploaded pictures (docs/rules/rooms.md#pictures). They are cached permanently, so only requests for unknown
 * ones are counted.
 */
export function pictureRoutes(deps: ApiDependencies): Router {
  const router = newRouter();
  router.get('/pictures/:key', ...route(readInTurns(), showPicture(deps)));
  return router;
}

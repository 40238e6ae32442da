import type { Context } from 'koa';

/**
 * Sets a response's ETag, and makes it a 304 if the request's `If-None-Match` has it. Koa's `fresh` also
 * honours `Cache-Control: no-cache`, which `fetch` adds to requests with an `If-None-Match`.
 */
export function applyEtag(ctx: Context, tag: string): void {
  ctx.etag = tag;
  const etag = ctx.response.get('ETag');
  const known = ctx.get('If-None-Match').split(',');
  if (known.some((value) => ['*', etag, `W/${etag}`].includes(value.trim()))) ctx.status = 304;
}

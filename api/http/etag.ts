import type { Context } from 'koa';

/**
 * Sets an answer's ETag, and makes it a 304 for who has it. Koa's `fresh` heeds a `Cache-Control: no-cache` too, which
 * fetch adds to whatever has an `If-None-Match`.
 */
export function answerOnce(ctx: Context, tag: string): void {
  ctx.etag = tag;
  const etag = ctx.response.get('ETag');
  const known = ctx.get('If-None-Match').split(',');
  if (known.some((one) => ['*', etag, `W/${etag}`].includes(one.trim()))) ctx.status = 304;
}

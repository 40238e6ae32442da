import { takeLink, takeLinkAndLook } from '../../commands/api-keys/buckets.js';
import { ApiError } from '../../domain/errors.js';
import type { ApiDependencies } from '../../api/dependencies.js';
import type { ApiContext, Handler } from '../../api/http/context.js';
import { applyBucket, limiter } from '../../api/http/limits.js';
import { PageError } from '../ui/browser.js';
import { wordsIn } from '../ui/language.js';
import { showPage } from '../ui/layout.js';

/** What a payer's request does besides showing a page. */
export interface LinkUse {
  /** Changes something or opens a checkout. */
  changes?: boolean;
  document?: boolean;
  /** May query the processor. */
  look?: boolean;
}

/**
 * Counts a payer's request (docs/rules/api.md#rate-limits) against the bucket of its link or checkout, `id`,
 * because many payers may share an IP address. A request that changes something also counts against the
 * client's address. A request with an unknown link (`id` null) counts only there. Returns whether the
 * processor may be queried now. Errors: 429 `rate_limited`.
 */
export function linkLimiter(deps: ApiDependencies) {
  const limit = limiter(deps);
  return async (
    ctx: ApiContext,
    id: string | null,
    { changes = false, document = false, look = false }: LinkUse = {},
  ): Promise<boolean> => {
    if (id === null) {
      await limit(ctx, { byAddress: true });
      return false;
    }
    const { manager } = deps.db;
    const { bucket, mayLook } = look
      ? await takeLinkAndLook(manager, id, deps.buckets)
      : { bucket: await takeLink(manager, id, document, deps.buckets), mayLook: false };
    applyBucket(ctx, bucket);
    if (changes) await limit(ctx, { byAddress: true });
    return mayLook;
  };
}

/** Shows a 429 and a rejected form of a payer's page as a page. */
export const limitPages: Handler = async (ctx, next) => {
  try {
    await next();
  } catch (error) {
    if (error instanceof PageError) {
      const { status, title, message } = error;
      return showPage(ctx, status, { title, mark: 'bad', children: <p role="alert">{message}</p> });
    }
    if (!(error instanceof ApiError && error.code === 'rate_limited')) throw error;
    const seconds = Math.ceil((error.context.retry_after_ms ?? 1_000) / 1_000);
    ctx.set('Retry-After', String(seconds));
    showPage(ctx, 429, {
      title: wordsIn(ctx).say('payer.too_many_requests'),
      mark: 'waiting',
      children: <p>{wordsIn(ctx).say('payer.try_again_in', { seconds })}</p>,
    });
  }
};

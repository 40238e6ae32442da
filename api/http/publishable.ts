import { ApiError } from '../../domain/errors.js';
import type { ApiDependencies } from '../dependencies.js';
import { clientAddress } from './client.js';
import type { Handler } from './context.js';
import { allowOrigin, originRefused } from './cors.js';
import { applyVerdict } from './limits.js';
import { withFacts } from './route-facts.js';
import { bearerToken } from './tokens.js';

/** Why a publishable key was rejected, from the `Authorization` header. */
function whyUnknown(header: string): string {
  if (header === '')
    return 'The Authorization header is missing. Send a publishable key as "Authorization: Bearer <KEY>".';
  if (bearerToken(header))
    return (
      'This is a secret API key, which must not be used on a website. If it has been published, ' +
      'revoke it. Send a publishable key: "hf_pub_" and 36 letters and digits.'
    );
  if (!bearerToken(header, 'publishable'))
    return 'The key is malformed. A publishable key is "hf_pub_" and 36 letters and digits.';
  return 'The publishable key is unknown or revoked. Create one in the dashboard.';
}

/**
 * Requires a publishable key and, if the request comes from a web page, one of the key's origins. Counts the
 * request against the buckets of the key and of the client's address, never against those of the workspace.
 * Errors: 401 `auth_invalid`, 429 `rate_limited`, 403 `origin_not_allowed`, 503 `maintenance`.
 */
export function publishable({
  authenticatePublishable,
}: Pick<ApiDependencies, 'authenticatePublishable'>): Handler {
  return withFacts({ publishable: true }, async (ctx, next) => {
    const header = ctx.get('authorization');
    const token = bearerToken(header, 'publishable')?.hash ?? null;
    const decision = await authenticatePublishable({ token, address: clientAddress(ctx) });
    const { site, maintenance } = decision;
    const origin = ctx.get('origin');
    const isAllowed = site !== null && site.origins.includes(origin);
    // Set before errors about the key or the request, so that the site can read them.
    if (isAllowed) allowOrigin(ctx, origin);
    applyVerdict(ctx, decision);
    if (!site) {
      ctx.set('WWW-Authenticate', 'Bearer');
      throw new ApiError('auth_invalid', whyUnknown(header));
    }
    if (origin && !isAllowed)
      throw originRefused(origin, 'Create a publishable key for this origin in the dashboard.');
    if (maintenance && maintenance.starts_at.getTime() <= Date.now()) {
      const { ends_at } = maintenance;
      const message = `Online booking is closed for maintenance until ${ends_at.toISOString()}.`;
      throw new ApiError('maintenance', message, {
        retry_after_ms: Math.max(1, ends_at.getTime() - Date.now()),
      });
    }
    ctx.state.site = site;
    await next();
  });
}

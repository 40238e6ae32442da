import type { Call } from '../http/endpoint.js';
import { invalidRequest } from '../http/errors.js';
import type { Shape } from '../http/params.js';

/** From this date on the API has `allowed_payment_method_types` instead. */
const NO_LONGER_FROM = '2026-09-30';

/** Rejects `payment_method_types` in versions of the API that no longer support it. */
export function requireSupportedTypes({ params, version }: Pick<Call<Shape>, 'params' | 'version'>): void {
  if (!('payment_method_types' in params) || params['payment_method_types'] === undefined) return;
  if (version.slice(0, NO_LONGER_FROM.length) < NO_LONGER_FROM) return;
  throw invalidRequest(
    'The `payment_method_types` parameter is no longer supported. Use ' +
      '`allowed_payment_method_types` instead.',
    { code: 'payment_method_types_no_longer_supported', param: 'payment_method_types' },
  );
}

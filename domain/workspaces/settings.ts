import { HOUR_MS } from '../durations.js';
import { ApiError, invalidField } from '../errors.js';
import { TIERS, type Tier } from '../rates/price.js';

/** How long before its start maintenance must be announced. */
const NOTICE_MS = 48 * HOUR_MS;

/** The time during which the API rejects a workspace's keys (docs/rules/workspace.md#maintenance). */
export interface Maintenance {
  starts_at: Date;
  ends_at: Date;
}

/**
 * Errors: 422 `validation_failed` for a window that starts too soon. A window that is already announced may
 * end earlier.
 */
export function assertAnnounced(
  announced: { maintenance_starts_at: Date | null; maintenance_ends_at: Date | null },
  window: Maintenance | null,
  now: number,
): void {
  const { maintenance_starts_at: starts_at, maintenance_ends_at: ends_at } = announced;
  if (!window || window.starts_at.getTime() >= now + NOTICE_MS) return;
  if (starts_at?.getTime() === window.starts_at.getTime() && window.ends_at <= ends_at!) return;
  throw invalidField('maintenance.starts_at', 'must be at least 48 hours from now');
}

/** The settings with amounts in the workspace's currency. */
interface WithAmounts {
  currency: string;
  tier_prices: Record<Tier, number>;
  desk_refund_limit_minor: number;
}

/**
 * Errors: 422 `validation_failed` if the currency changes while there are amounts in it that the request does
 * not set again: nothing is converted (docs/rules/workspace.md#currency). `ofPayers`: which amounts payers
 * have.
 */
export function assertCurrencyChange(
  { currency, tier_prices, desk_refund_limit_minor }: WithAmounts,
  sent: { tier_prices?: Partial<Record<Tier, number>>; desk_refund_limit_minor?: number },
  ofPayers: { has_credit_limits: boolean; has_upgrades: boolean },
): void {
  const refused = (message: string) => new ApiError('validation_failed', message, { param: 'currency' });
  if (ofPayers.has_upgrades)
    throw refused(
      `Some plan upgrades in ${currency} have not been invoiced yet. Wait until they are, then change ` +
        'the currency.',
    );
  const keepsPrices = TIERS.some((tier) => tier_prices[tier] > 0 && sent.tier_prices?.[tier] === undefined);
  const keepsLimit = desk_refund_limit_minor > 0 && sent.desk_refund_limit_minor === undefined;
  const kept = [
    ...(keepsPrices ? ['plan prices'] : []),
    ...(keepsLimit ? ['the refund limit of the front desk'] : []),
    ...(ofPayers.has_credit_limits ? ['the credit limits of payers'] : []),
  ];
  if (kept.length === 0) return;
  throw refused(
    `Amounts in ${currency} are not converted: ${kept.join(', ')}. Remove these amounts, change the ` +
      'currency, then set them again.',
  );
}

/** Returns the error for tax codes that would be removed but are still used. */
export const taxCodesInUse = (codes: string[]): ApiError =>
  new ApiError(
    'validation_failed',
    `Some rooms, open bookings or unpaid invoices use the tax codes ${codes.join(', ')}. Keep these ` +
      'codes, or change the rooms and wait until the bookings and invoices are settled.',
    { param: 'tax_codes' },
  );

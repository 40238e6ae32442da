import { dayBefore, type Day } from '../cycle.js';
import { cached, formatDay, formatMoney, currencyLocale } from '../display.js';
import { priceLines, sumTotals } from '../invoices/invoice.js';
import { TIERS, type TaxCode, type Tier } from '../rates/price.js';
import { membershipTaxCode, MONTHLY_HOUR_CREDITS, type TierPrices } from './tiers.js';

/**
 * A workspace's name for a tier, and the hours that it includes per month; null for the service's default.
 */
export interface Plan {
  name: string | null;
  monthly_hours: number | null;
}

/** The plans of a workspace as stored. Missing values are defaults. */
export type Plans = { [T in Tier]?: Partial<Plan> };

/** Returns all plans of a workspace, with null for defaults. */
export const presentPlans = (plans: Plans): Record<Tier, Plan> =>
  Object.fromEntries(
    TIERS.map((tier) => {
      const { name = null, monthly_hours = null } = plans[tier] ?? {};
      return [tier, { name, monthly_hours }];
    }),
  ) as Record<Tier, Plan>;

/** Returns the plans after a change of some fields of some tiers. */
export const changedPlans = (plans: Plans, changes: Plans): Plans => ({
  ...plans,
  ...Object.fromEntries(
    Object.entries(changes).map(([tier, plan]) => [tier, { ...plans[tier as Tier], ...plan }]),
  ),
});

/** Returns the name of a tier: the workspace's name for it, or `Plus`. */
export const planName = (plans: Plans, tier: Tier): string =>
  plans[tier]?.name ?? `${tier[0]!.toUpperCase()}${tier.slice(1)}`;

/** Returns the tiers that a word can mean: a tier's code, or the name of its plan, in any case. */
export const tiersNamed = (plans: Plans, word: string): Tier[] =>
  TIERS.filter((tier) =>
    [tier, planName(plans, tier)].some((name) => name.toLowerCase() === word.toLowerCase()),
  );

const DAY_FORMAT = { day: 'numeric', month: 'short' } as const;
const days = cached((locale, timeZone) => new Intl.DateTimeFormat(locale, { ...DAY_FORMAT, timeZone }));
const datedDays = cached(
  (locale, timeZone) => new Intl.DateTimeFormat(locale, { ...DAY_FORMAT, year: 'numeric', timeZone }),
);

/** Writes the days of a period whose `end` is the day after its last day: `23 Nov – 22 Dec 2026`. */
export function formatDays({ start, end }: { start: Day; end: Day }): string {
  const [first, last] = [start, dayBefore(end)];
  const words = (day: Day, hasYear: boolean): string =>
    (hasYear ? datedDays : days)('en-GB', 'UTC').format(new Date(day));
  return `${words(first, first.slice(0, 4) !== last.slice(0, 4))} – ${words(last, true)}`;
}

/**
 * Returns the description of an invoice line for a member's plan: `Plus membership, 23 Nov – 22 Dec 2026
 * (mem_…)`. It contains the id because names can be erased.
 */
export const membershipLine = (
  plans: Plans,
  { tier, id }: { tier: Tier; id: string },
  period: { start: Day; end: Day },
): string => `${planName(plans, tier)} membership, ${formatDays(period)} (${id})`;

const MEMBER = / \((mem_\w+)\)$/;

/** Returns the ids of members at the end of line descriptions. */
export const membersOfLines = (lines: { description: string }[]): string[] =>
  lines.flatMap(({ description }) => MEMBER.exec(description)?.[1] ?? []);

/**
 * Returns lines with the members' names in place of their ids. The id is removed if a member no longer has a
 * name.
 */
export const withNamesOfMembers = <L extends { description: string }>(
  lines: L[],
  names: ReadonlyMap<string, string>,
): L[] =>
  lines.map((line) => ({
    ...line,
    description: line.description.replace(MEMBER, (_, id: string) => {
      const name = names.get(id);
      return name ? ` (${name})` : '';
    }),
  }));

/** Returns the description of a line for the rest of a month in a higher tier. */
export const upgradeLine = (
  plans: Plans,
  { from, to, id }: { from: Tier; to: Tier; id: string },
  period: { start: Day; end: Day },
): string =>
  `Membership upgrade from ${planName(plans, from)} to ${planName(plans, to)}, ` +
  `${formatDays(period)} (${id})`;

/** Returns the hour credits granted per month to a member of a tier (docs/rules/members.md#monthly-cycle). */
export const monthlyHours = (plans: Plans, tier: Tier): number =>
  plans[tier]?.monthly_hours ?? MONTHLY_HOUR_CREDITS[tier];

/** The facts that decide the price of a tier. */
interface PricedTier {
  tier: Tier;
  currency: string;
  tax_codes: TaxCode[];
  tier_prices: TierPrices;
}

/** The facts that decide what an invited person will pay. */
export interface OfferedPlan extends PricedTier {
  billed: boolean;
  company_name: string | null;
  trial_ends_at: Date | null;
  time_zone: string;
  plans: Plans;
}

/**
 * Returns what a tier costs per month: the `total` with tax, and as text, `£58.80 a month (£49.00 and £9.80
 * tax)`.
 */
export function monthlyPrice({ tier, currency, tax_codes, tier_prices }: PricedTier) {
  const line = { description: '', quantity: 1, unit_amount_minor: tier_prices[tier] };
  const { net_minor, tax_minor, total_minor } = sumTotals(
    priceLines([{ ...line, tax_code: membershipTaxCode(tax_codes) }], tax_codes, currency),
  );
  const money = (amount_minor: number) => formatMoney({ amount_minor, currency });
  const tax = tax_minor > 0 ? ` (${money(net_minor)} plus ${money(tax_minor)} tax)` : '';
  return { total: money(total_minor), words: `${money(total_minor)} a month${tax}` };
}

/**
 * Describes the plan that an invite offers, in sentences: its name, hours, monthly price, and when the first
 * charge is made (docs/rules/members.md#invites). Empty for a tier that costs nothing, includes no hours and
 * has no name from the workspace.
 */
export function describeOffer(offer: OfferedPlan, now: Date): string[] {
  const { tier, tier_prices, plans, trial_ends_at } = offer;
  const hours = monthlyHours(plans, tier);
  const included = hours > 0 ? `, with ${hours === 1 ? 'one hour' : `${hours} hours`} a month included` : '';
  const plan = `Your plan: ${planName(plans, tier)}${included}.`;
  if (!offer.billed || tier_prices[tier] === 0)
    return hours > 0 || plans[tier]?.name ? [plan, 'You are not charged for it.'] : [];
  const { total, words } = monthlyPrice(offer);
  const price = `It costs ${words}.`;
  if (offer.company_name) return [plan, `${price} ${offer.company_name} pays for it.`];
  const begins =
    trial_ends_at && trial_ends_at > now
      ? `Your trial ends on ${formatDay(trial_ends_at, offer.time_zone, now, currencyLocale(offer))}. The ` +
        `first invoice, of ${total}, is sent then`
      : `The first invoice, of ${total}, is sent on the day you join`;
  return [plan, `${price} ${begins} and is due 14 days later.`];
}

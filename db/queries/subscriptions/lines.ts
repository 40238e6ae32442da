import { groupBy } from '../../../domain/group-by.js';
import { Decimal } from 'decimal.js';
import { dayAfter, periodContaining, startOfDay, type Day } from '../../../domain/cycle.js';
import { priceLines, sumTotals, type InvoiceLine, type Totals } from '../../../domain/invoices/invoice.js';
import { roundToUnit } from '../../../domain/processor/amounts.js';
import { membershipLine, type Plans } from '../../../domain/members/plans.js';
import type { TaxCode, Tier } from '../../../domain/rates/price.js';
import { membershipTaxCode, type TierPrices } from '../../../domain/members/tiers.js';
import { many } from '../../query.js';
import type { Tx } from '../../transaction.js';

/** The facts of a workspace that decide its subscription invoices. */
export interface SubscriptionTerms {
  workspace_id: string;
  currency: string;
  time_zone: string;
  tax_codes: TaxCode[];
  tier_prices: TierPrices;
  plans: Plans;
}

/** The payer (a company, or a member without one), and the period to invoice next: that of the day `next`. */
export interface PeriodPayer {
  company_id: string | null;
  member_id: string | null;
  anchor: Day;
  next: Day;
}

/** The lines of a payer's period. */
export interface PeriodCost {
  lines: InvoiceLine[];
  /** The pending charges among the lines. */
  charge_ids: string[];
}

/** The totals of a payer's period, in minor units. */
export interface PeriodTotals extends Totals {
  /**
   * How many members the period is for, and how many of them have no line because their tier costs nothing,
   * by tier.
   */
  members: number;
  free: Partial<Record<Tier, number>>;
}

/** Returns the id of a payer. */
export const payerKey = ({ company_id, member_id }: Pick<PeriodPayer, 'company_id' | 'member_id'>): string =>
  company_id ?? member_id!;

/**
 * Returns the parameters `$2` to `$5`, after the workspace: the payers, and when their period's first day
 * begins and ends. What is invoiced depends on these times, so only the process decides them
 * (docs/rules/workspace.md#time-zones).
 */
const payerParameters = (payers: PeriodPayer[], timeZone: string): unknown[] => [
  payers.map(({ company_id }) => company_id),
  payers.map(({ member_id }) => member_id),
  payers.map(({ next }) => startOfDay(next, timeZone)),
  payers.map(({ next }) => startOfDay(dayAfter(next), timeZone)),
];

function listPaidMembers(
  tx: Tx,
  { workspace_id, time_zone }: SubscriptionTerms,
  payers: PeriodPayer[],
): Promise<{ payer: string; id: string; tier: Tier }[]> {
  return many<{ payer: string; id: string; tier: Tier }>(
    tx,
    `SELECT payer, id, tier FROM paid_members($1, $2, $3, $4, $5) paid ORDER BY joined_at, id`,
    [workspace_id, ...payerParameters(payers, time_zone)],
  );
}

/** Returns how many members of a tier each payer pays for. */
function countPaidMembers(
  tx: Tx,
  { workspace_id, time_zone }: SubscriptionTerms,
  payers: PeriodPayer[],
): Promise<{ payer: string; tier: Tier; count: number }[]> {
  return many<{ payer: string; tier: Tier; count: number }>(
    tx,
    `SELECT payer, tier, count(*)::int AS count FROM paid_members($1, $2, $3, $4, $5) paid
      GROUP BY payer, tier`,
    [workspace_id, ...payerParameters(payers, time_zone)],
  );
}

/**
 * Returns the names of the first members that each payer pays for, by when they joined, keyed by the payer's
 * id.
 */
export async function findPaidNames(
  tx: Tx,
  { workspace_id, time_zone }: SubscriptionTerms,
  payers: PeriodPayer[],
  limit: number,
): Promise<Map<string, string[]>> {
  const rows = await many<{ payer: string; names: string[] }>(
    tx,
    `SELECT payer, array_agg(m.name ORDER BY place) AS names
     FROM (SELECT payer, id, row_number() OVER (PARTITION BY payer ORDER BY joined_at, id) AS place
           FROM paid_members($1, $2, $3, $4, $5) paid) placed
     JOIN members m ON m.id = placed.id AND m.name IS NOT NULL
     WHERE place <= $6 GROUP BY payer`,
    [workspace_id, ...payerParameters(payers, time_zone), limit],
  );
  return new Map(rows.map(({ payer, names }) => [payer, names]));
}

/** Lists the pending charges for each payer's next subscription invoice. */
function listWaitingCharges(
  tx: Tx,
  { workspace_id, time_zone }: SubscriptionTerms,
  payers: PeriodPayer[],
): Promise<{ payer: string; id: string; description: string; net_minor: number }[]> {
  return many<{ payer: string; id: string; description: string; net_minor: number }>(
    tx,
    `SELECT coalesce(p.company_id::text, p.member_id) AS payer, c.id, c.description, c.net_minor
     FROM unnest($2::uuid[], $3::text[], $4::timestamptz[], $5::timestamptz[])
       AS p (company_id, member_id, begins_at, day_after)
     JOIN subscription_charges c ON c.workspace_id = $1 AND c.invoice_id IS NULL
       AND c.company_id IS NOT DISTINCT FROM p.company_id AND c.member_id IS NOT DISTINCT FROM p.member_id
     ORDER BY c.created_at, c.id`,
    [workspace_id, ...payerParameters(payers, time_zone)],
  );
}

const buildSubscriptionLine = (
  description: string,
  quantity: number,
  unit_amount_minor: number,
  tax_codes: TaxCode[],
) => ({
  description,
  quantity,
  unit_amount_minor,
  tax_code: membershipTaxCode(tax_codes),
});

/**
 * Returns the costs of the next period of each payer, by the payer's id
 * (docs/rules/billing.md#subscription-invoices): a line for each member whose tier has a price, and one for
 * each pending charge.
 */
export async function findPeriodCosts(
  tx: Tx,
  terms: SubscriptionTerms,
  payers: PeriodPayer[],
): Promise<Map<string, PeriodCost>> {
  const { tier_prices, plans, tax_codes, currency } = terms;
  const members = groupBy(await listPaidMembers(tx, terms, payers), ({ payer }) => payer);
  const charges = groupBy(await listWaitingCharges(tx, terms, payers), ({ payer }) => payer);
  return new Map(
    payers.map((payer) => {
      const id = payerKey(payer);
      const period = periodContaining(payer.anchor, payer.next);
      const waiting = charges.get(id) ?? [];
      const lines = [
        ...(members.get(id) ?? [])
          .filter(({ tier }) => tier_prices[tier] > 0)
          .map((member) =>
            buildSubscriptionLine(
              membershipLine(plans, member, period),
              1,
              tier_prices[member.tier],
              tax_codes,
            ),
          ),
        ...waiting.map(({ description, net_minor }) =>
          buildSubscriptionLine(description, 1, net_minor, tax_codes),
        ),
      ];
      const cost = {
        lines: priceLines(lines, tax_codes, currency),
        charge_ids: waiting.map((charge) => charge.id),
      };
      return [id, cost] as const;
    }),
  );
}

/**
 * Returns the totals of what `findPeriodCosts` returns for each payer, by the payer's id. The database counts
 * a company's thousands of members by tier. The sums are the same, because the tax of a document is computed
 * once for each rate.
 */
export async function findPeriodTotals(
  tx: Tx,
  terms: SubscriptionTerms,
  payers: PeriodPayer[],
): Promise<Map<string, PeriodTotals>> {
  const { tier_prices, tax_codes, currency } = terms;
  const counts = groupBy(await countPaidMembers(tx, terms, payers), ({ payer }) => payer);
  const charges = groupBy(await listWaitingCharges(tx, terms, payers), ({ payer }) => payer);
  return new Map(
    payers.map((payer) => {
      const id = payerKey(payer);
      const paid = counts.get(id) ?? [];
      const lines = [
        ...paid
          .filter(({ tier }) => tier_prices[tier] > 0)
          .map(({ tier, count }) =>
            buildSubscriptionLine(
              tier,
              count,
              roundToUnit(new Decimal(tier_prices[tier]), currency),
              tax_codes,
            ),
          ),
        ...(charges.get(id) ?? []).map(({ net_minor }) => buildSubscriptionLine('', 1, net_minor, tax_codes)),
      ];
      const free = paid.filter(({ tier }) => tier_prices[tier] === 0);
      const totals: PeriodTotals = {
        ...sumTotals(priceLines(lines, tax_codes, currency)),
        members: paid.reduce((sum, { count }) => sum + count, 0),
        free: Object.fromEntries(free.map(({ tier, count }) => [tier, count])),
      };
      return [id, totals] as const;
    }),
  );
}

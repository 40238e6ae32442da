import type { Workspace } from '../../../db/entities/workspaces.js';
import type { MemberRow } from '../../../db/queries/members/member.js';
import { findWorkspace } from '../../../db/queries/workspaces/workspace.js';
import { dayIn, startOfDay } from '../../../domain/cycle.js';
import { changeOfTier } from '../../../domain/bookings/hour-credits.js';
import { priceLines, totalsOf } from '../../../domain/invoices/invoice.js';
import { planName } from '../../../domain/members/plans.js';
import type { PresentedMember } from '../../../domain/members/presenter.js';
import type { Tier } from '../../../domain/rates/price.js';
import {
  isUpgrade,
  membershipTaxCode,
  tierAfterRequest,
  upgradeCharge,
} from '../../../domain/members/tiers.js';
import type { ApiContext } from '../../../api/http/context.js';
import { memberOf } from '../../../api/resources/members/read.js';
import { updateSchema } from '../../../api/resources/members/shape.js';
import { update } from '../../../api/resources/members/update.js';
import { formatsOf } from '../../ui/formats.js';
import { apiForm } from '../shared/api-form.js';

/**
 * What a change of tier that takes effect immediately adds to the hour credits of the month, or takes back.
 */
function hoursChanged(member: MemberRow, to: Tier): string {
  const after = changeOfTier(member, to, dayIn(member.time_zone, new Date()));
  const added = after ? after.hour_credit_balance - member.hour_credit_balance : 0;
  if (added === 0) return '';
  const hours = Math.abs(added) === 1 ? 'One hour credit is' : `${Math.abs(added)} hour credits are`;
  return `${hours} ${added > 0 ? 'added' : 'taken back'}. `;
}

/** Whom an upgrade is charged to, how much and when (docs/rules/billing.md#tier-upgrades). */
function chargeOf(ctx: ApiContext, member: MemberRow, workspace: Workspace, to: Tier): string {
  const { tier: from, status, billed, company_name, name } = member;
  const { tax_codes, tier_prices, currency, processor_status } = workspace;
  if (status !== 'active' || !isUpgrade(from, to)) return '';
  if (!billed) return 'Nothing is charged: they do not pay for their plan.';
  const { net_minor, end } = upgradeCharge(member, { from, to, tier_prices }, new Date());
  const line = { description: '', quantity: 1, unit_amount_minor: net_minor };
  const taxed = priceLines([{ ...line, tax_code: membershipTaxCode(tax_codes) }], tax_codes, currency);
  const { total_minor } = totalsOf(taxed);
  if (total_minor <= 0) return 'Nothing is charged for the rest of the month.';
  const { amount, day } = formatsOf(ctx);
  const when = processor_status === 'active' ? 'immediately' : 'with the next plan invoice';
  return (
    `${amount(total_minor, currency)}, tax included, is invoiced to ${company_name ?? name} ${when}: the ` +
    `difference of the prices from today until ${day(startOfDay(end, member.time_zone))}.`
  );
}

/** Changes a member's tier, after it was shown when that takes effect and what is charged. */
export const tierForm = apiForm<{ tier: Tier; tier_change_reason?: string }, PresentedMember>({
  handler: update,
  schema: updateSchema,
  body: ({ tier, tier_change_reason }) => ({ tier, ...(tier_change_reason && { tier_change_reason }) }),
  async confirm({ tier }, ctx, deps) {
    const member = await memberOf(ctx, deps);
    const workspace = (await findWorkspace(deps.db.manager, member.workspace_id))!;
    const { tier_prices, plans, currency } = workspace;
    const { amount, day } = formatsOf(ctx);
    const priced = (each: Tier) => `${planName(plans, each)}, ${amount(tier_prices[each], currency)} a month`;
    const after = tierAfterRequest(tier, member, new Date());
    const effect = after.pending_tier
      ? `Takes effect on ${day(after.pending_tier_at!)}; the current month is not affected.`
      : `Takes effect immediately. ${hoursChanged(member, tier)}${chargeOf(ctx, member, workspace, tier)}`;
    return {
      title: `Change the plan of ${member.name}?`,
      at: '/members',
      effects: (
        <p>
          From {priced(member.tier)}, to {priced(tier)}, excluding tax. {effect}
        </p>
      ),
      button: `Change to ${planName(plans, tier)}`,
    };
  },
  notice: ({ pending_tier_at }, ctx) =>
    pending_tier_at
      ? `The plan changes on ${formatsOf(ctx).day(new Date(pending_tier_at))}.`
      : 'The plan has been changed.',
  to: (ctx) => `/members/${ctx.params.id}`,
});

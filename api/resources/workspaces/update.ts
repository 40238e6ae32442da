import { updateConnection } from '../../../commands/accounting/connections.js';
import { enqueueMail } from '../../../commands/mail/mails.js';
import { auditEdit } from '../../../commands/audit-log/audit.js';
import { setMaintenance, type Maintenance } from '../../../commands/workspaces/maintenance.js';
import { findAmountsOfPayers } from '../../../db/queries/workspaces/currency.js';
import { findTaxCodesInUse } from '../../../db/queries/invoices/tax-code.js';
import { setStaffNotices } from '../../../commands/workspaces/staff-notices.js';
import { lockWorkspace, updateWorkspace } from '../../../commands/workspaces/workspaces.js';
import type { Workspace } from '../../../db/entities/workspaces.js';
import { newId } from '../../../db/ids.js';
import { transaction, type Tx } from '../../../db/transaction.js';
import { HOUR_MS } from '../../../domain/durations.js';
import { ApiError, invalidField } from '../../../domain/errors.js';
import { SELLER_TEXTS } from '../../../domain/invoices/parties.js';
import { changedPlans } from '../../../domain/members/plans.js';
import type { Principal } from '../../../domain/policies.js';
import { presentStaffNotices } from '../../../domain/workspaces/staff-notices.js';
import { TIERS, type TaxCode } from '../../../domain/rates/price.js';
import type { ApiDependencies } from '../../dependencies.js';
import type { Handler } from '../../http/context.js';
import { storedZone } from '../../../commands/workspaces/stored-zone.js';
import { presentedWorkspace } from './read.js';
import type { UpdateBody } from './shape.js';

type Presented = Awaited<ReturnType<typeof presentedWorkspace>>;

/** Problems follow from the settings, so they are no edit. */
const withoutProblems = ({ accounting, ...rest }: Presented) => ({
  ...rest,
  invoice_problems: undefined,
  accounting: { ...accounting, problems: undefined },
});
/** How long before its start maintenance has to be announced. */
const NOTICE_MS = 48 * HOUR_MS;

/** Errors: 422 `validation_failed` if a code is missing that the workspace still uses. */
async function assertUnused(tx: Tx, { id, tax_codes: before }: Workspace, after: TaxCode[]): Promise<void> {
  const kept = new Set(after.map(({ code }) => code));
  const removed = before.map(({ code }) => code).filter((code) => !kept.has(code));
  const used = await findTaxCodesInUse(tx, id, removed);
  if (used.length === 0) return;
  const message =
    `Rooms, pending or confirmed bookings, or unpaid invoices use the tax codes ${used.join(', ')}. Keep ` +
    'them in tax_codes, or change the rooms and wait until the bookings and invoices are settled.';
  throw new ApiError('validation_failed', message, { param: 'tax_codes' });
}

/**
 * Errors: 422 `validation_failed` if the currency changes while amounts are in it that the request does not
 * set anew: nothing is converted (docs/rules/workspace.md#currency).
 */
async function assertCurrency(tx: Tx, workspace: Workspace, body: UpdateBody): Promise<void> {
  const { id, currency, tier_prices, desk_refund_limit_minor } = workspace;
  if ((body.currency ?? currency) === currency) return;
  const { has_credit_limits, has_upgrades } = await findAmountsOfPayers(tx, id);
  const refused = (message: string) => new ApiError('validation_failed', message, { param: 'currency' });
  if (has_upgrades)
    throw refused(`Upgrades of plans have amounts in ${currency}. Wait until they are invoiced.`);
  const keepsPrices = TIERS.some((tier) => tier_prices[tier] > 0 && body.tier_prices?.[tier] === undefined);
  const keepsLimit = desk_refund_limit_minor > 0 && body.desk_refund_limit_minor === undefined;
  const kept = [
    ...(keepsPrices ? ['the prices of plans'] : []),
    ...(keepsLimit ? ['the refund limit of the front desk'] : []),
    ...(has_credit_limits ? ['credit limits of payers'] : []),
  ];
  if (kept.length === 0) return;
  throw refused(
    `Amounts in ${currency} are not converted: ${kept.join(', ')}. Remove them first, then change the ` +
      'currency and set them again.',
  );
}

/**
 * Errors: 422 `validation_failed` for a window that starts too soon. One that is announced may end earlier.
 */
function assertAnnounced(workspace: Workspace, window: Maintenance | null): void {
  const { maintenance_starts_at: starts_at, maintenance_ends_at: ends_at } = workspace;
  if (!window || window.starts_at.getTime() >= Date.now() + NOTICE_MS) return;
  if (starts_at?.getTime() === window.starts_at.getTime() && window.ends_at <= ends_at!) return;
  throw invalidField('maintenance.starts_at', 'must be at least 48 hours from now');
}

/** `PATCH /v1/workspace` (docs/rules/workspace.md#settings). Errors: 412 `accounting_unconfigured`, 422. */
export function update(deps: Pick<ApiDependencies, 'db'>): Handler<UpdateBody> {
  return async (ctx) => {
    ctx.body = await updateWorkspaceSettings(deps, ctx.state.principal, ctx.state.body);
  };
}

/** Changes settings of a workspace. Returns it as it is then. */
export function updateWorkspaceSettings(
  { db }: Pick<ApiDependencies, 'db'>,
  principal: Principal,
  body: UpdateBody,
): Promise<Presented> {
  const { workspace_id: id } = principal;
  return transaction(db, async (tx) => {
    const workspace = (await lockWorkspace(tx, { id }))!;
    const before = await presentedWorkspace(tx, id);
    const { accounting, maintenance, tier_prices, plans, notify_staff, csv, ...changes } = body;
    await assertCurrency(tx, workspace, body);
    if (changes.time_zone) changes.time_zone = await storedZone(tx, changes.time_zone);
    if (changes.tax_codes) await assertUnused(tx, workspace, changes.tax_codes);
    const prices = tier_prices && { tier_prices: { ...workspace.tier_prices, ...tier_prices } };
    const planned = plans && { plans: changedPlans(workspace.plans, plans) };
    const format = csv && { csv: { ...workspace.csv, ...csv } };
    await updateWorkspace(tx, id, { ...changes, ...prices, ...planned, ...format });
    if (notify_staff)
      await setStaffNotices(tx, workspace, {
        ...presentStaffNotices(workspace.notify_staff),
        ...notify_staff,
      });
    if (maintenance !== undefined) {
      assertAnnounced(workspace, maintenance);
      await setMaintenance(tx, id, maintenance);
    }
    if (accounting && !(await updateConnection(tx, id, accounting)))
      throw new ApiError('accounting_unconfigured', 'Connect the workspace to an accounting system first.');
    const after = await presentedWorkspace(tx, id);
    if (SELLER_TEXTS.some((text) => after[text] !== before[text]))
      await enqueueMail(tx, { kind: 'seller_text_changed', workspace_id: id, about: newId('mail') });
    await auditEdit(tx, principal, {
      action: 'workspace.updated',
      object: id,
      before: withoutProblems(before),
      after: withoutProblems(after),
    });
    return after;
  });
}

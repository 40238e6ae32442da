import type { DataSource } from 'typeorm';
import type { Workspace } from '../../db/entities/workspaces.js';
import { newId } from '../../db/ids.js';
import { findTaxCodesInUse } from '../../db/queries/invoices/tax-code.js';
import { findZoneName } from '../../db/queries/time-zones.js';
import { findAmountsOfPayers } from '../../db/queries/workspaces/currency.js';
import { presentedWorkspace } from '../../db/queries/workspaces/presented-workspace.js';
import { transaction, type Tx } from '../../db/transaction.js';
import type { CsvFormat } from '../../domain/csv-format.js';
import { dayBefore, dayIn } from '../../domain/cycle.js';
import { ApiError, invalidField } from '../../domain/errors.js';
import { SELLER_TEXTS } from '../../domain/invoices/parties.js';
import { changedPlans } from '../../domain/members/plans.js';
import type { Principal } from '../../domain/policies.js';
import type { TaxCode, Tier } from '../../domain/rates/price.js';
import { isKnownZone, isZoneName, ZONE_RULE } from '../../domain/time-zone.js';
import {
  assertAnnounced,
  assertCurrencyChange,
  taxCodesInUse,
  type Maintenance,
} from '../../domain/workspaces/settings.js';
import { presentStaffNotices, type StaffNotices } from '../../domain/workspaces/staff-notices.js';
import { updateConnection } from '../accounting/connections.js';
import { auditEdit, type Actor } from '../audit-log/audit.js';
import { enqueueMail } from '../mail/mails.js';
import { nextDigest } from '../mail/staff-mail.js';
import { draftAllDuePeriods } from '../subscriptions/invoices.js';
import { waitInZone } from '../subscriptions/pending-tiers.js';
import { setMaintenance } from './maintenance.js';
import { setStaffNotices } from './staff-notices.js';
import { lockWorkspace, updateWorkspace } from './workspaces.js';

type Presented = Awaited<ReturnType<typeof presentedWorkspace>>;

/** A change of settings (docs/rules/workspace.md#settings). Missing settings stay the same. */
export interface WorkspaceChanges extends Partial<
  Pick<
    Workspace,
    | 'name'
    | 'time_zone'
    | 'currency'
    | 'checkout_hold_seconds'
    | 'prices_entered'
    | 'desk_refund_limit_minor'
    | 'refuse_overdue_payers'
    | 'require_second_factor'
    | 'return_url'
    | 'booking_url'
    | 'contact_email'
    | 'locale'
    | 'logo_url'
    | 'accent_color'
    | 'legal_name'
    | 'legal_address'
    | 'tax_number'
    | 'tax_name'
    | 'payment_instructions'
    | 'invoice_prefix'
    | 'invoice_details'
  >
> {
  tax_codes?: TaxCode[];
  tier_prices?: Partial<Record<Tier, number>>;
  plans?: Parameters<typeof changedPlans>[1];
  csv?: Partial<CsvFormat>;
  notify_staff?: Partial<StaffNotices>;
  maintenance?: Maintenance | null;
  accounting?: Parameters<typeof updateConnection>[2];
}

/**
 * Returns a zone in the form in which it is stored, with IANA's letter case. Errors: 422 `validation_failed`
 * if it is not an `Area/Place`, or if the process or Postgres does not know it
 * (docs/rules/workspace.md#time-zones).
 */
export async function storedZone(tx: Pick<Tx, 'connection'>, zone: string): Promise<string> {
  const name = isZoneName(zone) ? await findZoneName(tx, zone) : null;
  if (name === null) throw invalidField('time_zone', ZONE_RULE);
  return name;
}

/** Removes problems, which follow from the settings and are not edited. */
const withoutProblems = ({ accounting, ...rest }: Presented) => ({
  ...rest,
  invoice_problems: undefined,
  accounting: { ...accounting, problems: undefined },
});

/** Errors: 422 `validation_failed` if a code that the workspace still uses would be removed. */
async function assertUnused(tx: Tx, { id, tax_codes: before }: Workspace, after: TaxCode[]): Promise<void> {
  const kept = new Set(after.map(({ code }) => code));
  const removed = before.map(({ code }) => code).filter((code) => !kept.has(code));
  const used = await findTaxCodesInUse(tx, id, removed);
  if (used.length > 0) throw taxCodesInUse(used);
}

/** Changes settings of a workspace and returns its new state. Errors: 412 `accounting_unconfigured`; 422. */
export const changeWorkspace = (
  db: DataSource,
  caller: Principal,
  sent: WorkspaceChanges,
): Promise<Presented> =>
  transaction(db, async (tx) => {
    const { workspace_id: id } = caller;
    const workspace = (await lockWorkspace(tx, { id }))!;
    const before = await presentedWorkspace(tx, id);
    const { accounting, maintenance, tier_prices, plans, notify_staff, csv, ...changes } = sent;
    if ((sent.currency ?? workspace.currency) !== workspace.currency)
      assertCurrencyChange(workspace, sent, await findAmountsOfPayers(tx, id));
    if (changes.time_zone) changes.time_zone = await storedZone(tx, changes.time_zone);
    if (changes.tax_codes) await assertUnused(tx, workspace, changes.tax_codes);
    const time_zone = changes.time_zone === workspace.time_zone ? undefined : changes.time_zone;
    // With an unknown zone, nobody knows its days.
    const movesZone = time_zone !== undefined && isKnownZone(workspace.time_zone);
    // Decide first what is owed for the days of the former zone.
    if (movesZone) await draftAllDuePeriods(tx, id, dayBefore(dayIn(workspace.time_zone, new Date())));
    const changed = await updateWorkspace(tx, id, {
      ...changes,
      ...(time_zone && workspace.digest_at && { digest_at: nextDigest(time_zone, new Date()) }),
      ...(tier_prices && { tier_prices: { ...workspace.tier_prices, ...tier_prices } }),
      ...(plans && { plans: changedPlans(workspace.plans, plans) }),
      ...(csv && { csv: { ...workspace.csv, ...csv } }),
    });
    if (movesZone) await waitInZone(tx, caller, workspace, time_zone);
    if (notify_staff)
      await setStaffNotices(tx, changed, {
        ...presentStaffNotices(workspace.notify_staff),
        ...notify_staff,
      });
    if (maintenance !== undefined) {
      assertAnnounced(workspace, maintenance, Date.now());
      await setMaintenance(tx, id, maintenance);
    }
    if (accounting && !(await updateConnection(tx, id, accounting)))
      throw new ApiError('accounting_unconfigured', 'Connect the workspace to an accounting system first.');
    const after = await presentedWorkspace(tx, id);
    if (SELLER_TEXTS.some((text) => after[text] !== before[text]))
      await enqueueMail(tx, { kind: 'seller_text_changed', workspace_id: id, about: newId('mail') });
    await auditEdit(tx, caller, {
      action: 'workspace.updated',
      object: id,
      before: withoutProblems(before),
      after: withoutProblems(after),
    });
    return after;
  });

/** Sets maintenance that may begin immediately, for the operator of the service. Returns the maintenance. */
export const startMaintenance = (
  db: DataSource,
  by: Actor,
  window: Maintenance,
): Promise<Presented['maintenance']> =>
  transaction(db, async (tx) => {
    const { workspace_id: id } = by;
    await lockWorkspace(tx, { id });
    const before = await presentedWorkspace(tx, id);
    await setMaintenance(tx, id, window);
    const after = await presentedWorkspace(tx, id);
    await auditEdit(tx, by, { action: 'workspace.updated', object: id, before, after });
    return after.maintenance;
  });

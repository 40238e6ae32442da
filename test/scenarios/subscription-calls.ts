import type { Tier } from '../../domain/rates/price.js';
import { newMember } from '../support/people.js';
import { db } from '../support/stack.js';
import type { TestWorkspace } from '../support/workspaces.js';

/** Creates a member whose billing starts on a date. */
export async function memberSince(
  workspace: TestWorkspace,
  day: string,
  how: { tier?: Tier; company_id?: string; status?: string; archived_on?: string } = {},
): Promise<string> {
  const { tier = 'pro', company_id, status = 'active', archived_on = null } = how;
  const { time_zone: timeZone } = (await workspace.api.get('/v1/workspace')).body;
  const { id } = await newMember(workspace, { tier, company_id });
  await db.query(
    `UPDATE members SET joined_at = ($2::date + time '12:00') AT TIME ZONE $5, status = $3,
      archived_at = $4::date + time '12:00',
            billing_anchor = CASE WHEN company_id IS NULL THEN $2::date END
     WHERE id = $1`,
    [id, day, status, archived_on, timeZone],
  );
  await db.query(`UPDATE companies SET billing_anchor = least(billing_anchor, $2::date) WHERE id = $1`, [
    company_id ?? null,
    day,
  ]);
  return id;
}

export const newCompany = async ({ api }: TestWorkspace): Promise<string> =>
  (await api.post('/v1/companies', { name: 'Acme', billing_email: 'acme@example.com' })).body.id;

export const listInvoices = async ({ api }: TestWorkspace) =>
  (await api.get('/v1/invoices?limit=100')).body.data.toReversed();

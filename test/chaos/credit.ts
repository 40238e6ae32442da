import { setTimeout as sleep } from 'node:timers/promises';
import { db } from '../support/stack.js';
import type { Violation } from './settle.js';
import type { ChaosWorkspace } from './scene.js';

const POLL_MS = 500;

/** Payers whose open booking invoices exceed their credit limit. They are paid in full or not at all. */
const EXCEEDED = `
  WITH owed AS (
    SELECT company_id, CASE WHEN company_id IS NULL THEN member_id END AS member_id, sum(total_minor) AS minor
    FROM invoices
    WHERE workspace_id = ANY ($1) AND status IN ('open', 'authorised') AND kind IN ('booking', 'adjustment')
      AND NOT EXISTS (SELECT FROM bookings b WHERE b.id = invoices.booking_id AND b.account_days IS NULL)
    GROUP BY 1, 2
  )
  SELECT owed.*, coalesce(c.credit_limit_minor, m.credit_limit_minor) AS limit_minor
  FROM owed LEFT JOIN companies c ON c.id = owed.company_id LEFT JOIN members m ON m.id = owed.member_id
  WHERE owed.minor > coalesce(c.credit_limit_minor, m.credit_limit_minor)`;

/**
 * Watches the credit limits until stopped, since a limit that is exceeded only briefly is not seen at the
 * end.
 */
export async function watchCredit(workspaces: ChaosWorkspace[], stopped: AbortSignal): Promise<Violation[]> {
  const found = new Map<string, unknown>();
  const ids = workspaces.map(({ workspace }) => workspace.id);
  while (!stopped.aborted) {
    // The database may be down at the moment.
    const rows: { company_id: string | null; member_id: string }[] = await db
      .query(EXCEEDED, [ids])
      .catch(() => []);
    for (const row of rows) found.set(row.company_id ?? row.member_id, row);
    await sleep(POLL_MS, undefined, { signal: stopped }).catch(() => undefined);
  }
  return [...found.values()].map((each) => ({
    invariant: 'no payer owes more than the credit limit',
    found: each,
  }));
}

import { column } from '../../query.js';
import type { Tx } from '../../transaction.js';

/**
 * Returns which of the given codes a room, an extra, a live booking or an unpaid invoice of the workspace
 * uses.
 */
export function findTaxCodesInUse(tx: Tx, workspaceId: string, codes: string[]): Promise<string[]> {
  return column<string>(
    tx,
    `SELECT code FROM unnest($2::text[]) AS t(code)
     WHERE EXISTS (SELECT FROM rooms WHERE workspace_id = $1 AND tax_code = code)
       OR EXISTS (SELECT FROM extras WHERE workspace_id = $1 AND tax_code = code)
       OR EXISTS (SELECT FROM bookings b WHERE b.workspace_id = $1
         AND b.status IN ('pending_payment', 'confirmed')
                  AND (b.tax_code = code
                       OR b.pricing -> 'extras' @> jsonb_build_array(jsonb_build_object('tax_code', code))))
       OR EXISTS (SELECT FROM invoices i JOIN invoice_lines l ON l.invoice_id = i.id
                  WHERE i.workspace_id = $1 AND i.status IN ('draft', 'open', 'authorised')
                    AND l.tax_code = code)
     ORDER BY code`,
    [workspaceId, codes],
  );
}

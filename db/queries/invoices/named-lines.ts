import { membersOfLines, withNamesOfMembers } from '../../../domain/members/plans.js';
import { many } from '../../query.js';
import type { Tx } from '../../transaction.js';

/**
 * Returns the lines of an invoice with the names of members. Stored lines contain their ids, because names
 * can be erased. If the invoice was issued, the names are those on its document.
 */
export async function namedLines<L extends { description: string }>(
  tx: Tx,
  { id, workspace_id, lines }: { id: string; workspace_id: string; lines: L[] },
): Promise<L[]> {
  const ids = membersOfLines(lines);
  if (ids.length === 0) return lines;
  const members = await many<{ id: string; name: string }>(
    tx,
    `SELECT m.id, coalesce(d.member_names ->> m.id, m.name) AS name
     FROM members m LEFT JOIN invoice_documents d ON d.source_id = $3
     WHERE m.workspace_id = $1 AND m.id = ANY ($2) AND m.status <> 'deleted'`,
    [workspace_id, ids, id],
  );
  return withNamesOfMembers(lines, new Map(members.map(({ id, name }) => [id, name])));
}

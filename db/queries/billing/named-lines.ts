import { membersOfLines, withNamesOfMembers } from '../../../domain/plans.js';
import { many } from '../../query.js';
import type { Tx } from '../../transaction.js';

/**
 * Lines of an invoice or document as people read them: stored ones have the ids of members, since what was issued never changes and
 * a name can be erased.
 */
export async function namedLines<L extends { description: string }>(
  tx: Tx,
  workspaceId: string,
  lines: L[],
): Promise<L[]> {
  const ids = membersOfLines(lines);
  if (ids.length === 0) return lines;
  const members = await many<{ id: string; name: string }>(
    tx,
    `SELECT id, name FROM members WHERE workspace_id = $1 AND id = ANY ($2) AND status <> 'deleted'`,
    [workspaceId, ids],
  );
  return withNamesOfMembers(lines, new Map(members.map(({ id, name }) => [id, name])));
}

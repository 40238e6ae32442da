import { listAuditLog, type AuditRow } from '../../../db/queries/audit-log/audit.js';
import { findBookingMembers } from '../../../db/queries/workspaces/dashboard.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { Reply } from '../../../api/http/operation.js';
import type { PageRequest } from '../forms/page.js';
import { readAuditFilter, actingMember } from '../audit-log/audit-log.js';
import { csvReply } from './stream.js';

/** `GET /dashboard/:workspace/audit-log.csv`: the entries of a filter, newest first. */
export async function exportAuditLog({ ctx }: PageRequest, { db }: ApiDependencies): Promise<Reply> {
  const { workspace_id } = ctx.state.membership!;
  const filter = readAuditFilter(ctx);
  return csvReply<AuditRow>(ctx, 'audit-log', {
    columns: ['When (UTC)', 'Action', 'By', 'Actor', 'Object', 'Details', 'Entry'],
    read: (after, limit) =>
      listAuditLog(db.manager, {
        ...filter,
        after: after && { at: after.at.toISOString(), id: after.id },
        limit,
      }),
    async cells(entries) {
      const members = await findBookingMembers(db.manager, workspace_id, entries.map(actingMember));
      return entries.map((entry) => {
        const { at, action, actor, object, details, id } = entry;
        const { member_id } = actingMember(entry);
        const name = member_id ? members.get(member_id)?.name : 'operator' in actor && actor.operator;
        const time = at.toISOString();
        return [time, action, name || null, JSON.stringify(actor), object, JSON.stringify(details), id];
      });
    },
  });
}

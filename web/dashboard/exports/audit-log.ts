import { listAuditLog, type AuditRow } from '../../../db/queries/audit-log/audit.js';
import { findBookingMembers } from '../../../db/queries/workspaces/dashboard.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { Handler } from '../../../api/http/context.js';
import { auditFilterOf, memberOf } from '../audit-log/audit-log.js';
import { sendCsv } from './stream.js';

/** `GET /dashboard/:workspace/audit-log.csv`: the entries of a filter, newest first. */
export function exportAuditLog({ db }: ApiDependencies): Handler {
  return async (ctx) => {
    const { workspace_id } = ctx.state.membership!;
    const filter = auditFilterOf(ctx);
    sendCsv<AuditRow>(ctx, 'audit-log', {
      columns: ['When (UTC)', 'Action', 'By', 'Actor', 'Object', 'Details', 'Entry'],
      read: (after, limit) =>
        listAuditLog(db.manager, {
          ...filter,
          after: after && { at: after.at.toISOString(), id: after.id },
          limit,
        }),
      async cells(entries) {
        const members = await findBookingMembers(db.manager, workspace_id, entries.map(memberOf));
        return entries.map((entry) => {
          const { at, action, actor, object, details, id } = entry;
          const { member_id } = memberOf(entry);
          const name = member_id ? members.get(member_id)?.name : 'operator' in actor && actor.operator;
          const time = at.toISOString();
          return [time, action, name || null, JSON.stringify(actor), object, JSON.stringify(details), id];
        });
      },
    });
  };
}

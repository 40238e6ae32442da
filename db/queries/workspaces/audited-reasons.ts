/**
 * SQL of the reason that a person gave for an audited action, or null. All arguments are SQL; `at` is when the action took
 * effect. An entry is stored in the same transaction, and found by its time, since the log has no index by object.
 */
export const auditedReason = (entry: {
  action: `'${'booking.cancelled' | 'invoice.voided'}'`;
  workspace_id: string;
  object: string;
  at: string;
}): string =>
  `(SELECT nullif(a.details ->> 'reason', '') FROM audit_log a
    WHERE a.workspace_id = ${entry.workspace_id} AND a.action = ${entry.action} AND a.object = ${entry.object}
      AND a.at BETWEEN ${entry.at} - interval '5 minutes' AND ${entry.at} + interval '5 minutes'
    ORDER BY a.at, a.id LIMIT 1)`;

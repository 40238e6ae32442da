/** The input of `presentAuditEntry`. */
export interface AuditEntryFacts {
  id: string;
  at: Date;
  action: string;
  /**
   * A member, with a key or in the dashboard; the person who used the manage link of a booking, as the link's
   * id; or a part of the service, with the name of its operator if an operator requested the action.
   */
  actor:
    | { member_id: string; key_id: string | null }
    | { guest: string; via?: 'manage_link' }
    | { system: string; operator?: string };
  object: string;
  details: Record<string, unknown>;
}

/** An entry of the audit log as the API returns it (docs/rules/credentials.md#audit-log). */
export function presentAuditEntry(entry: AuditEntryFacts) {
  return {
    id: entry.id,
    at: entry.at.toISOString(),
    action: entry.action,
    actor: entry.actor,
    object: entry.object,
    details: entry.details,
  };
}

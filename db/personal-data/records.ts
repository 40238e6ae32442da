import { eraseAuditDetails, eraseEvent } from '../../domain/erasure.js';
import type { Treatments } from './treatment.js';

/** What stays of an erased person in the tables about what happened: events, their deliveries and the audit log. */
export const RECORDS = {
  audit_log: {
    by: ['object', 'objects'],
    kept: ['id', 'workspace_id', 'at', 'action', 'actor', 'object'],
    reduced: { details: ({ action, details }) => eraseAuditDetails(action, details) },
  },
  events: {
    by: ['object_id', 'objects'],
    kept: ['id', 'workspace_id', 'type', 'object_id', 'sequence', 'created_at', 'position'],
    reduced: { body: ({ body }) => eraseEvent(body) },
  },
  // A receiver may have returned what it was sent: the excerpt of its response is erased.
  webhook_deliveries: {
    by: ['event_id', 'events'],
    kept: ['event_id', 'attempt', 'workspace_id', 'at', 'status_code', 'duration_ms', 'error'],
  },
} satisfies Partial<Treatments>;

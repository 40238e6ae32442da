import { eraseAuditDetails, eraseEvent } from '../../domain/erasure.js';
import type { ErasureRules } from './erasure-rule.js';

/** What is kept of an erased person in events, their deliveries and the audit log. */
export const RECORDS = {
  audit_log: {
    by: ['object', 'objects'],
    kept: ['id', 'workspace_id', 'at', 'action', 'actor', 'object'],
    redacted: { details: ({ action, details }) => eraseAuditDetails(action, details) },
  },
  events: {
    by: ['object_id', 'objects'],
    kept: ['id', 'workspace_id', 'type', 'object_id', 'sequence', 'created_at', 'position'],
    redacted: { body: ({ body }) => eraseEvent(body) },
  },
  // The response excerpt is erased: a receiver may have echoed the event.
  webhook_deliveries: {
    by: ['event_id', 'events'],
    kept: ['event_id', 'attempt', 'workspace_id', 'at', 'status_code', 'duration_ms', 'error'],
  },
} satisfies Partial<ErasureRules>;

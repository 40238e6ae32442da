import type { Operations } from '../resource/operation.js';
import * as s from '../resource/shapes.js';
import { auditEntry } from './responses.js';

export const operations: Operations = {
  'GET /v1/audit-log': {
    summary: 'List the audit log',
    description:
      'Returns entries by time, newest first. `actor` is the id of a member or a key, `guest` for changes with the manage link of a booking, or `system`. For a revoked key or grant, `details.revoker_profile_id` is the profile of the person who revoked it, and `details.reason` is what ended it: `revoked_by_member`, `member_archived`, `member_deleted`, `member_promoted`, `address_changed` or `ownership_transferred`; for a grant also `revoked_by_client` or `reuse_detected`.',
    responses: { 200: s.pageOf(auditEntry) },
    query: { action: 'workspace.updated' },
  },
};

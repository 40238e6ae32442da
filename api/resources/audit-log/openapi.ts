import { EXAMPLE_MEMBER_ID } from '../members/shape.js';
import { EXAMPLE_WORKSPACE_ID, exampleInstant, examplePage } from '../shared/examples.js';
import type { Operations } from '../shared/operation.js';
import * as s from '../shared/shapes.js';
import { auditEntry } from './shape.js';

export const operations: Operations = {
  'GET /v1/audit-log': {
    summary: 'List the audit log',
    description:
      'Returns entries by time, newest first. `actor` is the id of a member or a key, `guest` for ' +
      'changes with the manage link of a booking, or `system`. For a revoked key or grant, ' +
      '`details.revoker_profile_id` is the profile of the person who revoked it, and ' +
      '`details.reason` is what ended it: `revoked_by_member`, `member_archived`, `member_deleted`, ' +
      '`member_promoted`, `address_changed` or `ownership_transferred`; for a grant also ' +
      '`revoked_by_client` or `reuse_detected`.',
    example: () =>
      examplePage({
        id: '4711',
        at: exampleInstant(0, 12),
        action: 'workspace.updated',
        actor: { member_id: EXAMPLE_MEMBER_ID, key_id: null },
        object: EXAMPLE_WORKSPACE_ID,
        details: { before: { checkout_hold_seconds: 1800 }, after: { checkout_hold_seconds: 900 } },
      }),
    responses: { 200: s.pageOf(auditEntry) },
    query: { action: 'workspace.updated' },
  },
};

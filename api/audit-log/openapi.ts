import joi from 'joi';
import type { Operations } from '../openapi/operation.js';
import * as s from '../openapi/shapes.js';

const actor = joi.alternatives(
  s.shape({ member_id: s.idOf('mem'), key_id: s.idOf('key').allow(null) }),
  s.shape({ system: joi.string() }),
);

export const auditEntry = s.shape({
  id: joi.string(),
  at: s.instant,
  action: joi.string(),
  actor,
  object: joi.string(),
  details: s.anyObject,
});

export const auditLogOperations: Operations = {
  'GET /v1/audit-log': {
    summary: 'List the audit log',
    description:
      'The newest first. `actor` is a member’s id, a key’s, or `system`. What ends a key or a grant names the person in `details.revoker_profile_id`; for a grant, `details.reason` is `revoked_by_member`, `revoked_by_client` or `reuse_detected`.',
    answers: { 200: s.pageOf(auditEntry) },
    query: { action: 'workspace.updated' },
  },
};

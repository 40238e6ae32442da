import { listAuditLog } from '../../../db/queries/audit-log/audit.js';
import { presentAuditEntry } from '../../../domain/audit-log/presenter.js';
import type { ApiDependencies } from '../../dependencies.js';
import { authenticated, requires } from '../../http/auth.js';
import { route } from '../../http/context.js';
import { listOf } from '../../http/list.js';
import { newRouter } from '../../http/router.js';
import { validQuery } from '../../http/validate.js';
import { auditEntry, isEntryId, listSchema } from './shape.js';
import type { Resource } from '../shared/resource.js';
import { operations } from './openapi.js';

const list = listOf({ find: listAuditLog, by: 'at', isId: isEntryId, present: presentAuditEntry });

/** The audit log, newest first (docs/rules/credentials.md#audit-log). */
export const auditLog: Resource = {
  tag: 'Workspace',
  operations,
  schemas: { AuditEntry: auditEntry },
  routes(deps: ApiDependencies) {
    const router = newRouter();
    const canRead = requires('workspace:read', 'read_audit_log');
    router.get('/v1/audit-log', ...route(authenticated(deps), canRead, validQuery(listSchema, list(deps))));
    return router;
  },
};

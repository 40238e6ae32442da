import type { Resource } from '../shared/resource.js';
import { operations } from './openapi.js';
import { auditEntry } from './responses.js';
import { auditLogRoutes } from './routes.js';

export const auditLog: Resource = {
  tag: 'Workspace',
  routes: auditLogRoutes,
  operations,
  schemas: { AuditEntry: auditEntry },
};

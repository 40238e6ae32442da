import type { Section } from '../shared/section.js';
import { auditLogQuery, showAuditLog } from './audit-log.js';

export const auditLog: Section = [
  { path: '/audit-log', capability: 'read_audit_log', query: auditLogQuery, show: showAuditLog },
];

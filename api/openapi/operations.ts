import { apiKeyOperations } from '../api-keys/operations.js';
import { auditLogOperations } from '../audit-log/operations.js';
import { availabilityOperations } from '../availability/operations.js';
import { bookingOperations } from '../bookings/operations.js';
import { calendarOperations } from '../calendar/operations.js';
import { companyOperations } from '../companies/operations.js';
import { eventOperations } from '../events/operations.js';
import { guestOperations } from '../guests/operations.js';
import { invoiceOperations } from '../invoices/operations.js';
import { memberOperations } from '../members/operations.js';
import { oauthOperations } from '../oauth/operations.js';
import { paymentOperations } from '../payments/operations.js';
import { reconciliationOperations } from '../reconciliation/operations.js';
import { roomOperations } from '../rooms/operations.js';
import { webhookEndpointOperations } from '../webhook-endpoint/operations.js';
import { workspaceOperations } from '../workspace/operations.js';
import type { Operation, Operations } from './operation.js';
import * as s from './shapes.js';

const documentOperations: Operations = {
  'GET /v1/openapi.json': {
    summary: 'Get this document',
    description: 'Needs no key.',
    answers: { 200: s.anyObject, 304: null },
  },
};

/** What is said about the routes under /v1, by tag; in the order in which the reference shows it. */
export const TAGS: Record<string, Operations> = {
  Bookings: { ...bookingOperations, ...availabilityOperations, ...calendarOperations },
  Rooms: roomOperations,
  Invoices: invoiceOperations,
  Payments: paymentOperations,
  Members: { ...memberOperations, ...guestOperations },
  Companies: companyOperations,
  Workspace: { ...workspaceOperations, ...auditLogOperations, ...reconciliationOperations },
  Credentials: { ...apiKeyOperations, ...oauthOperations },
  Webhooks: { ...webhookEndpointOperations, ...eventOperations },
  Reference: documentOperations,
};

export interface TaggedOperation extends Operation {
  route: string;
  tag: string;
}

/** All of them, in their order. */
export const OPERATIONS: TaggedOperation[] = Object.entries(TAGS).flatMap(([tag, operations]) =>
  Object.entries(operations).map(([route, operation]) => ({ ...operation, route, tag })),
);

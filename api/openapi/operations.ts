import { apiKeyOperations } from '../api-keys/openapi.js';
import { auditLogOperations } from '../audit-log/openapi.js';
import { availabilityOperations } from '../availability/openapi.js';
import { bookingOperations } from '../bookings/openapi.js';
import { calendarOperations } from '../calendar/openapi.js';
import { companyOperations } from '../companies/openapi.js';
import { eventOperations } from '../events/openapi.js';
import { guestOperations } from '../guests/openapi.js';
import { invoiceOperations } from '../invoices/openapi.js';
import { memberOperations } from '../members/openapi.js';
import { oauthOperations } from '../oauth/openapi.js';
import { paymentOperations } from '../payments/openapi.js';
import { reconciliationOperations } from '../reconciliation/openapi.js';
import { roomOperations } from '../rooms/openapi.js';
import { webhookEndpointOperations } from '../webhook-endpoint/openapi.js';
import { workspaceOperations } from '../workspace/openapi.js';
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

import type { EventType } from '../../domain/events.js';
import { apiKeys } from './api-keys/index.js';
import { auditLog } from './audit-log/index.js';
import { availability } from './availability/index.js';
import { blackouts } from './blackouts/index.js';
import { bookings } from './bookings/index.js';
import { calendar } from './calendar/index.js';
import { companies } from './companies/routes.js';
import { events } from './events/index.js';
import { guests } from './guests/index.js';
import { invoices } from './invoices/index.js';
import { members } from './members/index.js';
import { oauthClients } from './oauth-clients/index.js';
import { payments } from './payments/index.js';
import { reconciliation } from './reconciliation/index.js';
import type { EventDescription } from './shared/resource.js';
import { rooms } from './rooms/index.js';
import { webhookEndpoint } from './webhook-endpoint/index.js';
import { workspace } from './workspace/index.js';

/** Every resource of the API, registered here and nowhere else, in the order of the document. */
export const RESOURCES = [
  bookings,
  availability,
  calendar,
  rooms,
  blackouts,
  invoices,
  payments,
  members,
  guests,
  companies,
  workspace,
  auditLog,
  reconciliation,
  apiKeys,
  oauthClients,
  webhookEndpoint,
  events,
];

/** The event types that a resource describes. */
type DescribedBy<Resource> = Resource extends { events: infer Events } ? keyof Events : never;
type Described = DescribedBy<(typeof RESOURCES)[number]>;

const described: Record<Described, EventDescription> = Object.assign(
  {},
  ...RESOURCES.map((resource) => resource.events),
);

/** The description of every event type. Does not compile while a type has none. */
export const EVENTS: Record<EventType, EventDescription> = described;

import type { EventType } from '../../domain/events/types.js';
import { apiKeys } from './api-keys/operations.js';
import { auditLog } from './audit-log/operations.js';
import { availability } from './bookings/availability/operations.js';
import { blackouts } from './blackouts/operations.js';
import { bookingPage } from './booking-page/operations.js';
import { bookings } from './bookings/operations.js';
import { calendar } from './bookings/calendar/operations.js';
import { companies } from './companies/operations.js';
import { discounts } from './discounts/operations.js';
import { events } from './events/operations.js';
import { feeds } from './feeds/operations.js';
import { extras } from './extras/operations.js';
import { guests } from './guests/operations.js';
import { invoices } from './invoices/operations.js';
import { members } from './members/operations.js';
import { messages } from './bookings/messages/operations.js';
import { oauthClients } from './applications/operations.js';
import { payments } from './payments/operations.js';
import { publicBooking } from './booking-page/public/operations.js';
import { preparations } from './bookings/preparations/operations.js';
import { rates } from './rates/operations.js';
import { reconciliation } from './reconciliation/operations.js';
import type { EventDescription } from './shared/resource.js';
import { reports } from './reports/operations.js';
import { rooms } from './rooms/operations.js';
import { webhookEndpoint } from './events/webhook-endpoint/operations.js';
import { workspace } from './workspaces/operations.js';

/** Every resource of the API, registered here and nowhere else, in the order of the document. */
export const RESOURCES = [
  bookings,
  messages,
  availability,
  calendar,
  feeds,
  rooms,
  rates,
  extras,
  preparations,
  discounts,
  blackouts,
  invoices,
  payments,
  reports,
  members,
  guests,
  companies,
  workspace,
  bookingPage,
  publicBooking,
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

/** The description of every event type. Does not compile if a type is missing. */
export const EVENTS: Record<EventType, EventDescription> = described;

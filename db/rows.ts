import type { Row } from './tables.js';

/* Names for the most used row types; any other is `Row<'table'>`. */

export type Booking = Row<'bookings'>;
export type Checkout = Row<'checkouts'>;
export type CheckoutState = Checkout['state'];
export type Company = Row<'companies'>;
export type Payment = Row<'payments'>;
export type Room = Row<'rooms'>;
export type WebhookEndpoint = Row<'webhook_endpoints'>;
export type Workspace = Row<'workspaces'>;

/** The sections of the API document, in its order, and what each is about; Markdown. */
export const TAGS = {
  Bookings:
    'Bookings from the quote to the cancellation, the payment at the desk, availability and calendar feeds.',
  Rooms: 'Rooms that can be booked, with their pictures, rates and blackouts.',
  Extras: 'What can be booked with a room, such as catering or equipment, and what to prepare when.',
  Discounts: 'Discount codes.',
  Invoices: 'Invoices with their documents, checkout pages, adjustments and payments received elsewhere.',
  Payments: 'Payments and refunds as the ledger has them.',
  Members: 'The people of the workspace: invites, tiers, roles, cards on file, and erasure.',
  Companies: 'Companies that pay for their members.',
  Workspace: 'The settings of the workspace, its connections, its audit log, and the reconciliation.',
  'Booking page': 'The settings of the hosted page where anyone can book.',
  'Web sites': 'What the pages of a web site call with a publishable key, to take bookings.',
  Credentials: 'API keys and OAuth clients.',
  Webhooks: 'The webhook endpoint, the events that it receives, and the list of events.',
  Reference: 'This document.',
} as const;

export type Tag = keyof typeof TAGS;

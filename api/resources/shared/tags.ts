/** The sections of the API document, in its order, and what each is about; Markdown. */
export const TAGS = {
  Bookings: 'Bookings and quotes, payments at the desk, availability, and calendar feeds.',
  Rooms: 'Rooms that can be booked, with their pictures, rates and blackouts.',
  Extras:
    'Items that can be booked with a room, such as catering or equipment, and the list of what to ' +
    'prepare.',
  Discounts: 'Codes that take a percentage or an amount off the price of a booking.',
  Invoices:
    'Invoices with their documents, checkout pages and adjustments, and payments received outside the ' +
    'payment processor.',
  Payments: 'Payments and refunds in the ledger.',
  Reports: 'Receivables by age, tax by month, usage of rooms, and payouts of the payment processor.',
  Members:
    'Members of the workspace: invites, tiers, roles and cards on file. Erasure of members and guests.',
  Companies: 'Companies that pay for their members.',
  Workspace:
    'Settings of the workspace, connections to the payment processor and the accounting system, the ' +
    'audit log, and reconciliation.',
  'Booking page': 'Settings of the hosted page where anyone can book.',
  Websites: 'Operations that your website calls with a publishable key to take bookings.',
  Credentials: 'API keys and OAuth clients.',
  Webhooks: 'The webhook endpoint of the workspace, and the events that are sent to it.',
  Reference: 'This document.',
} as const;

export type Tag = keyof typeof TAGS;

/**
 * The interface between workflows and their callers: workflow types, ids, inputs, signals, updates, search attributes.
 * No side effects. Start options are in starts.ts.
 *
 * Only ids go into Temporal. Names, mail addresses and notes stay in Postgres (docs/architecture.md#personal-data).
 */
export * from './contract/accounting.js';
export * from './contract/billing.js';
export * from './contract/bookings.js';
export * from './contract/collections.js';
export * from './contract/delivery.js';
export * from './contract/members.js';
export * from './contract/names.js';
export * from './contract/retention.js';

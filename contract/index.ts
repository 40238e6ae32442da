/**
 * The interface between workflows and their callers: workflow types, ids, inputs, signals, updates, search attributes.
 * No side effects. Start options are in starts.ts.
 *
 * Only ids go into Temporal. Names, mail addresses and notes stay in Postgres (docs/architecture.md#personal-data).
 */
export * from './accounting.js';
export * from './billing.js';
export * from './bookings.js';
export * from './collections.js';
export * from './delivery.js';
export * from './members.js';
export * from './names.js';
export * from './retention.js';
export * from './run-details.js';

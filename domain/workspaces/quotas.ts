import { ApiError } from '../errors.js';

/**
 * The maximum number of objects of a workspace (docs/rules/workspace.md#quotas). `blackouts`: per room,
 * without those that have ended. `pending_changes`: those that wait for their payer at the same time. An
 * honest workspace never reaches these limits.
 */
const QUOTAS = {
  rooms: 500,
  companies: 10_000,
  members: 50_000,
  discounts: 1_000,
  blackouts: 5_000,
  pending_changes: 1_000,
  extras: 100,
} as const;
export type Quotas = Record<keyof typeof QUOTAS, number>;

/** Returns the quotas multiplied by `scale`; each is at least 1. */
export function scaledQuotas(scale: number): Quotas {
  const entries = Object.entries(QUOTAS).map(([name, count]) => [
    name,
    Math.max(1, Math.round(count * scale)),
  ]);
  return Object.fromEntries(entries) as Quotas;
}

const MESSAGES: Record<keyof Quotas, (limit: number) => string> = {
  rooms: (limit) => `A workspace can have at most ${limit} rooms, including archived rooms.`,
  companies: (limit) => `A workspace can have at most ${limit} companies.`,
  members: (limit) => `A workspace can have at most ${limit} members, including archived and erased members.`,
  discounts: (limit) => `A workspace can have at most ${limit} discount codes, including archived codes.`,
  blackouts: (limit) =>
    `A room can have at most ${limit} blackouts that have not ended. Delete a blackout first.`,
  extras: (limit) => `A workspace can have at most ${limit} extras, including archived extras.`,
  pending_changes: (limit) =>
    `At most ${limit} changes of a workspace can be awaiting payment. Withdraw a pending change, ` +
    'or wait until one is paid or lapses.',
};

/** 409 `limit_reached` if a workspace already has the maximum. */
export const limitReached = (of: keyof Quotas, quotas: Quotas): ApiError =>
  new ApiError('limit_reached', MESSAGES[of](quotas[of]), { details: { reason: of, limit: quotas[of] } });

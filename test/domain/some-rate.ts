import { randomUUID } from 'node:crypto';
import type { RoomRate } from '../../domain/rates.js';

/** A rate of 15.00 an hour, for everyone at any time. */
export const someRate = (overrides: Partial<RoomRate> = {}): RoomRate => ({
  id: randomUUID(),
  name: 'Rate',
  days: null,
  from: null,
  to: null,
  dates: null,
  audience: { kind: 'everyone', tiers: null, company_ids: null },
  unit: 'hour',
  amount_minor: 1_500,
  cap_minor: null,
  day_cap_minor: null,
  minimum_minor: null,
  min_minutes: null,
  notice: null,
  closed: false,
  always: false,
  accounting_account: null,
  ...overrides,
});

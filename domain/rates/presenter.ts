import type { RoomRate } from './rates.js';

/**
 * The rates of a room as the API returns them (docs/rules/rates.md). `version` is 0 until they are first set.
 */
export const presentRates = ({ rates, rate_version }: { rates: RoomRate[]; rate_version: number }) => ({
  version: rate_version,
  rates,
});

import joi, { type ObjectSchema } from 'joi';
import { COMMON_FAULTS, type CommonFaults } from '../../simulator/faults.js';

/** Injected faults, and rate limits. */
export interface Faults extends CommonFaults {
  /** Calls for an organisation per minute and per day. */
  minute_limit: number;
  day_limit: number;
  /** Length of the minute in `minute_limit`, in seconds: tests shorten it. */
  minute_seconds: number;
  /** Length of the day in `day_limit`, in seconds. */
  day_seconds: number;
}

/**
 * A request that sets faults and limits for one organisation or for all. Omitted fields mean no fault, and
 * Xero's limits.
 */
export const FAULTS: ObjectSchema<Faults & { tenant?: string }> = joi.object({
  tenant: joi.string(),
  ...COMMON_FAULTS,
  minute_limit: joi.number().integer().min(0).default(60),
  day_limit: joi.number().integer().min(0).default(5000),
  minute_seconds: joi.number().integer().min(1).default(60),
  day_seconds: joi.number().integer().min(1).default(86_400),
});

/** No faults, and Xero's limits. */
export const NO_FAULTS = joi.attempt({}, FAULTS) as Faults;

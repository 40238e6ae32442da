import { QueryFailedError } from 'typeorm';

/** SQLSTATE classes: connection exception, insufficient resources, operator intervention, system error. */
const OUTAGE_CLASSES = ['08', '53', '57', '58'];

/**
 * True if a transaction failed because the database is unavailable or overloaded, and not because of what it was to do: then all
 * others fail too, and a sweep that continued would leave every one of them.
 */
export function isOutage(error: unknown): boolean {
  const cause: unknown = error instanceof QueryFailedError ? error.driverError : error;
  const { code, message = '' } = (cause ?? {}) as { code?: unknown; message?: string };
  if (typeof code === 'string')
    return /^E[A-Z]+$/.test(code) || (code.length === 5 && OUTAGE_CLASSES.includes(code.slice(0, 2)));
  return /connection|connect|timeout/i.test(message);
}

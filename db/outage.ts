import { QueryFailedError } from 'typeorm';

/**
 * SQLSTATE classes: connection exception, insufficient resources, operator intervention (including a
 * statement that took too long), system error; and the codes for a lock that was not free in time and a
 * transaction that was idle for too long.
 */
const SQLSTATE = /^((08|53|57|58)[0-9A-Z]{3}|55P03|25P03)$/;
const NETWORK = /^E(CONN|PIPE|TIMEDOUT|HOST|NET|NOTFOUND)/;
/** The client's own errors, which have no code. */
const CLIENT =
  /connection terminated|connection error|an SSL connection|trying to connect|timeout expired|query read timeout/i;

/** SQLSTATEs of a lock that was not free in time, of a deadlock and of a serialization failure. */
const CONTENTION = /^(55P03|40P01|40001)$/;
const STATEMENT_TIMEOUT = '57014';

interface Failure {
  code?: unknown;
  message?: string;
}

const asFailure = (error: unknown): Failure =>
  ((error instanceof QueryFailedError ? error.driverError : error) ?? {}) as Failure;

/**
 * True if a statement or transaction failed because the database is unavailable or overloaded, and not
 * because of the statement itself: others fail too, and a retry can succeed.
 */
export function isOutage(error: unknown): boolean {
  const { code, message = '' } = asFailure(error);
  return typeof code === 'string' ? SQLSTATE.test(code) || NETWORK.test(code) : CLIENT.test(message);
}

/** True if a transaction failed because of others' locks, even after its retries. */
export const isContention = (error: unknown): boolean => CONTENTION.test(String(asFailure(error).code));

/** True if a statement took longer than `statement_timeout`. */
export const isTooSlow = (error: unknown): boolean => asFailure(error).code === STATEMENT_TIMEOUT;

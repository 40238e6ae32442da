import Stripe from 'stripe';
import { failures } from '../failures.js';

/** Codes of errors that concern the platform's key, whatever their status. */
const KEY_CODES = ['api_key_expired', 'platform_api_key_expired'];
/**
 * Statuses of 4xx responses that say nothing about the request: it is in progress, a dependency failed, too
 * many requests.
 */
const UNCLEAR = [409, 424, 429];

/**
 * Runs a call and classifies its failure. Only a refusal because of the request or the account is final. A
 * refused platform key, a spent idempotency key and anything else leaves the outcome unknown.
 */
export async function call<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    const { type, code, param, statusCode, requestId } = error;
    const words = [type, statusCode, code, param, requestId].filter(Boolean).join(' ');
    if (code === 'account_invalid' && (statusCode === 400 || statusCode === 403))
      throw failures.processorAccountUnusable(words);
    if (statusCode === 401 || statusCode === 403 || KEY_CODES.includes(code!))
      throw failures.processorKeyRefused(words);
    const isUnclear =
      statusCode === undefined ||
      statusCode < 400 ||
      statusCode >= 500 ||
      UNCLEAR.includes(statusCode) ||
      error instanceof Stripe.errors.StripeIdempotencyError;
    throw isUnclear ? failures.processorUnavailable(words) : failures.processorRefused(words, code);
  }
}

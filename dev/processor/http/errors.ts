/** Further fields of Stripe's error object. */
interface Details {
  code?: string;
  param?: string;
  decline_code?: string;
  charge?: string;
  payment_intent?: unknown;
  payment_method?: unknown;
}

/** An error in Stripe's shape: `{error: {type, code, message, param}}`. */
export class StripeError extends Error {
  constructor(
    readonly status: number,
    readonly type: 'invalid_request_error' | 'idempotency_error' | 'card_error' | 'api_error',
    message: string,
    readonly details: Details = {},
  ) {
    super(message);
  }

  /** The body of the response. */
  body(requestId: string): object {
    const { code } = this.details;
    return {
      error: {
        ...this.details,
        ...(code && { doc_url: `https://docs.stripe.com/error-codes/${code.replaceAll('_', '-')}` }),
        message: this.message,
        request_log_url: `https://dashboard.stripe.com/test/logs/${requestId}`,
        type: this.type,
      },
    };
  }
}

/** A request that Stripe rejects. `details` may be just the name of the parameter that is wrong. */
export function invalidRequest(message: string, details: Details | string = {}): StripeError {
  const all = typeof details === 'string' ? { param: details } : details;
  return new StripeError(400, 'invalid_request_error', message, all);
}

/** A request that lacks a parameter. */
export function parameterMissing(param: string): StripeError {
  return invalidRequest(`Missing required param: ${param}.`, { code: 'parameter_missing', param });
}

/** The account has no such object: 404 for an id in the path, 400 for some parameters. */
export function resourceMissing(object: string, id: string, param: string, status = 404): StripeError {
  return new StripeError(status, 'invalid_request_error', `No such ${object}: '${id}'`, {
    code: 'resource_missing',
    param,
  });
}

/** The state of the object does not allow it. */
export function unexpectedState(message: string, paymentIntent?: unknown): StripeError {
  return invalidRequest(message, { code: 'payment_intent_unexpected_state', payment_intent: paymentIntent });
}

/** The key has no access to this account: it does not exist, or its owner has disconnected the platform. */
export function accountInvalid(key: string, account: string): StripeError {
  return new StripeError(
    403,
    'invalid_request_error',
    `The provided key '${key.slice(0, 8)}${'*'.repeat(8)}${key.slice(-4)}' does not have access to ` +
      `account '${account}' (or that account does not exist). Application access may have been revoked.`,
    { code: 'account_invalid' },
  );
}

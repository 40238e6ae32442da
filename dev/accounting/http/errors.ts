import { randomUUID } from 'node:crypto';

/** An error response of the API. */
export class XeroError extends Error {
  constructor(
    readonly status: number,
    readonly body: object | string,
    readonly headers: Record<string, string> = {},
  ) {
    super(typeof body === 'string' ? body : JSON.stringify(body));
  }
}

/** Validation errors of one element. */
export class Refused extends Error {
  constructor(readonly messages: string[]) {
    super(messages.join(' '));
  }
}

/** Throws if there are any problems. */
export function refuseFor(problems: string[]): void {
  if (problems.length > 0) throw new Refused(problems);
}

/** Validation errors of the elements of a call. */
export function validationException(elements: object[]): XeroError {
  return apiException(10, 'ValidationException', 'A validation exception occurred', { Elements: elements });
}

/** An invalid body. */
export function postDataInvalid(message: string): XeroError {
  return apiException(14, 'PostDataInvalidException', message);
}

/** An invalid `where` or `order`. */
export function queryInvalid(message: string): XeroError {
  return apiException(16, 'QueryParseException', message);
}

/** A 404, which is always a page of text. */
export function notFound(): XeroError {
  return new XeroError(404, "The resource you're looking for cannot be found");
}

/** An error of Xero's gateway in front of the API. */
export function problem(
  status: number,
  title: string,
  detail: string,
  headers: Record<string, string> = {},
): XeroError {
  const body = {
    Type: null,
    Title: title,
    Status: status,
    Detail: detail,
    Instance: randomUUID(),
    Extensions: {},
  };
  return new XeroError(status, body, headers);
}

function apiException(number: number, type: string, message: string, more: object = {}): XeroError {
  return new XeroError(400, { ErrorNumber: number, Type: type, Message: message, ...more });
}

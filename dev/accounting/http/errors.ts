import { randomUUID } from 'node:crypto';

/** Any answer of the API that is not a success. */
export class XeroError extends Error {
  constructor(
    readonly status: number,
    readonly body: object | string,
    readonly headers: Record<string, string> = {},
  ) {
    super(typeof body === 'string' ? body : JSON.stringify(body));
  }
}

/** What the rules of bookkeeping refuse about one element, in as many sentences as there are problems. */
export class Refused extends Error {
  constructor(readonly messages: string[]) {
    super(messages.join(' '));
  }
}

/** Throws the problems that were found, if any were. */
export function refuseFor(problems: string[]): void {
  if (problems.length > 0) throw new Refused(problems);
}

/** Elements that break a rule; nothing was done. */
export function validationException(elements: object[]): XeroError {
  return apiException(10, 'ValidationException', 'A validation exception occurred', { Elements: elements });
}

/** A body that cannot be read. */
export function postDataInvalid(message: string): XeroError {
  return apiException(14, 'PostDataInvalidException', message);
}

/** A `where` or `order` that cannot be read. */
export function queryInvalid(message: string): XeroError {
  return apiException(16, 'QueryParseException', message);
}

/** Nothing there: a page of text, whatever was asked for. */
export function notFound(): XeroError {
  return new XeroError(404, "The resource you're looking for cannot be found");
}

/** What Xero's gateway says before the API itself is reached. */
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

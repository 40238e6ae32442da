import type joi from 'joi';
import type { Created, IdempotencyKey } from '../../commands/api-keys/idempotency.js';
import type { ErrorCode } from '../../domain/errors.js';
import type { Capability, Principal, Scope } from '../../domain/policies.js';
import type { Site } from '../../commands/api-keys/authenticate-publishable.js';
import type { ApiDependencies } from '../dependencies.js';
import type { SentFile } from './body.js';
import type { Deprecation } from './meta.js';
import type { TokenRecord } from './tokens.js';
import type { Typed } from './typed.js';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
/** A method and a path in the router's form: `GET /v1/rooms/:id`. */
export type Route = `${Method} /v1/${string}`;

type ParamsIn<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamsIn<Rest>
  : Path extends `${string}:${infer Name}.${string}`
    ? Name
    : Path extends `${string}:${infer Name}`
      ? Name
      : never;

/** The client that sent a request, in addition to the caller. */
export interface Client {
  /** The IP address. */
  address: string;
  /** The token of the request's API key; null for an access token and in the dashboard. */
  token: TokenRecord | null;
}

/** The validated input of a request. */
export interface Input<R extends string, Body = undefined, Query = undefined> {
  /** The ids in the path, as they were sent. */
  params: Record<ParamsIn<R>, string>;
  query: Query;
  body: Body;
  /** The file of an operation that takes one. */
  file: SentFile | null;
  client: Client;
  /** The `Idempotency-Key` of an operation that accepts one. Forms of the dashboard have their own keys. */
  idempotency: IdempotencyKey | null;
  /** The version in `If-Match` of an operation that takes it; null for any. */
  version: number | null;
  /**
   * Counts the cost of a request of cost 1 beyond that, once it is known. Pages of the dashboard count as
   * pages. Errors: 429 `rate_limited`, which takes no token.
   */
  spend(more: number): Promise<void>;
}

/** A response body that is not JSON. */
export interface OtherMedia {
  mediaType: string;
}

type Status = 200 | 201 | 202 | 204 | 304;

/** The HTTP response for the result of an operation. */
export interface Reply {
  /** Defaults to the lowest success status. */
  status?: Status;
  headers?: Record<string, string>;
  /** A request with this value in `If-None-Match` gets a 304. */
  etag?: string;
  body: unknown;
}

/** What a repeat with the same key returns. */
interface Repeated<R extends Route, Result, Caller> {
  // A method, so that the `run` of an operation that reads the object can be used.
  show(input: Pick<Input<R>, 'params'>, caller: Caller, deps: ApiDependencies): Promise<Result>;
}

/** What a repeat of a DELETE returns. */
export const nothing = async (): Promise<void> => {};

/**
 * One operation of the API, declared once: the router, the API document, the table of rights, the forms of
 * the dashboard and the booking page are derived from it or call its `run`.
 */
export interface Operation<
  R extends Route = Route,
  Body = undefined,
  Query = undefined,
  Result = unknown,
  Caller = Principal,
> {
  route: R;
  /** One line in the imperative. */
  summary: string;
  /**
   * The operation's id, a verb and a noun. Defaults to an id made from the summary. Keep the id when the
   * summary changes: clients are generated from it.
   */
  id?: string;
  description?: string;
  /** The operation is deprecated: the document and every response announce it. */
  deprecated?: Deprecation;
  /** Sites call it with a publishable key. */
  publishable?: true;
  /** The scope that a key needs, and the capability of its member's role. */
  scope?: Scope;
  capability?: Capability;
  /** Any key can call it. */
  anyKey?: true;
  /** Replaces the check of the scope and the capability, which are then only for the document. */
  authorize?(caller: Caller): void;
  /** The cost of the request in its buckets; 1 by default. A function gets the unvalidated body. */
  cost?: number | ((sent: unknown) => number);
  query?: Typed<Query, joi.ObjectSchema>;
  /** Validated strictly: types are not converted, unknown fields are refused. */
  body?: Typed<Body, joi.ObjectSchema>;
  /** The body may also be a form. */
  form?: true;
  /** The body is a file of one of these media types, of at most `maxBytes`. */
  upload?: { types: readonly string[]; maxBytes: number };
  /**
   * Accepts an optional `Idempotency-Key` header (`runOnce`). If true, `run` binds the key. Otherwise `show`
   * returns the current state for a repeat, and `run` may change something only in its first transaction.
   */
  idempotent?: true | Repeated<R, NoInfer<Result>, Caller>['show'];
  /** The path that the key is bound to, if the path of the request does not identify its object. */
  boundTo?(caller: Caller): string;
  /** Accepts an optional `If-Match` header with the version of the object that it changes. */
  versioned?: true;
  /** Its responses have an `ETag`. */
  etag?: true;
  /**
   * The maximum number of requests of a workspace in progress, for operations that start a run or use much
   * CPU.
   */
  concurrent?: number;
  /** The response body of each status of success; null for none. */
  responses: Partial<Record<Status, joi.Schema | OtherMedia | null>>;
  /** The errors of the operation itself; those of its route, scope, bodies and path ids are derived. */
  errors?: ErrorCode[];
  /** Examples for the document, which run as they are if their ids are replaced. */
  examples?: { query?: Record<string, string>; body?: Record<string, unknown>; response?: unknown };
  /** Runs the operation. Takes and returns plain values; errors are thrown as `ApiError`. */
  run(input: Input<R, Body, Query>, caller: Caller, deps: ApiDependencies): Promise<Result>;
  /** The HTTP response for the result. By default, the result is the body. */
  reply?(result: Result): Reply;
}

export type AnyOperation = Operation<Route, unknown, unknown, unknown, unknown>;

/** The part of an operation that the API document describes. */
export type Described = Omit<AnyOperation, 'run' | 'reply'>;

/** Declares an operation; its types follow from its route and schemas. */
export const operation = <const R extends Route, Body = undefined, Query = undefined, Result = unknown>(
  declared: Operation<R, Body, Query, Result>,
): Operation<R, Body, Query, Result> => declared;

/** Declares an operation that sites call with a publishable key. */
export const siteOperation = <const R extends Route, Body = undefined, Query = undefined, Result = unknown>(
  declared: Operation<R, Body, Query, Result, Site>,
): Operation<R, Body, Query, Result, Site> => ({ ...declared, publishable: true });

/** The reply of a create: 201, or 200 to a repeat with the same `Idempotency-Key`. */
export const created = <Shown>({ object, isNew }: Created<Shown>): Reply => ({
  status: isNew ? 201 : 200,
  body: object,
});

export function replyTo(
  { reply, responses }: Pick<AnyOperation, 'reply' | 'responses'>,
  result: unknown,
): Reply & { status: Status } {
  const status = Math.min(...Object.keys(responses).map(Number)) as Status;
  return { status, ...(reply ? reply(result) : { body: status === 204 ? null : result }) };
}

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
/** A method and a path as the router has them: `GET /v1/rooms/:id`. */
export type Route = `${Method} /v1/${string}`;

type ParamsIn<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamsIn<Rest>
  : Path extends `${string}:${infer Name}.${string}`
    ? Name
    : Path extends `${string}:${infer Name}`
      ? Name
      : never;

/** Who sent a request, beside its caller. */
export interface Client {
  /** The IP address. */
  address: string;
  /** The API key of the request; null for an access token, and at the dashboard. */
  token: TokenRecord | null;
}

/** What a request says, validated. */
export interface Input<R extends string, Body = undefined, Query = undefined> {
  /** The ids in the path, as they were sent. */
  params: Record<ParamsIn<R>, string>;
  query: Query;
  body: Body;
  /** The file of an operation that takes one. */
  file: SentFile | null;
  client: Client;
  /** The `Idempotency-Key` of an operation that takes one; a form of the dashboard has its own. */
  idempotency: IdempotencyKey | null;
  /** The version in `If-Match` of an operation that takes it; null for any. */
  version: number | null;
  /**
   * Counts what a request costs beyond `cost`, once that is known; pages of the dashboard count as pages.
   * Errors: 429 `rate_limited`.
   */
  spend(cost: number): Promise<void>;
}

/** A response body that is not JSON. */
export interface OtherMedia {
  mediaType: string;
}

type Status = 200 | 201 | 202 | 204 | 304;

/** What the result of an operation is in HTTP. */
export interface Reply {
  /** By default the lowest status of success. */
  status?: Status;
  headers?: Record<string, string>;
  /** A request whose `If-None-Match` has it gets a 304. */
  etag?: string;
  body: unknown;
}

/** What a repeat with the same key gets. */
interface Repeated<R extends Route, Result, Caller> {
  // A method, so that the `run` of an operation that reads the object is one.
  show(input: Pick<Input<R>, 'params'>, caller: Caller, deps: ApiDependencies): Promise<Result>;
}

/** What a repeat of a DELETE gets. */
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
   * The operation's id, a verb and a noun; made from the summary by default. Keep it when the wording
   * changes: clients are generated from it.
   */
  id?: string;
  description?: string;
  /** It is to go: every response says so, and the document. */
  deprecated?: Deprecation;
  /** It is called with a publishable key, by a site. */
  publishable?: true;
  /** The scope that a key needs, and the capability of its member's role. */
  scope?: Scope;
  capability?: Capability;
  /** Any key can call it. */
  anyKey?: true;
  /** What a caller needs in place of the scope and the capability, which then are for the document only. */
  authorize?(caller: Caller): void;
  /** What the request costs of its buckets, 1 by default; of some, by the body as it was sent. */
  cost?: number | ((sent: unknown) => number);
  query?: Typed<Query, joi.ObjectSchema>;
  /** Validated strictly: types are not converted, unknown fields are refused. */
  body?: Typed<Body, joi.ObjectSchema>;
  /** The body may also be a form. */
  form?: true;
  /** The body is a file of one of these media types, of at most so many bytes. */
  upload?: { types: readonly string[]; maxBytes: number };
  /**
   * Accepts an optional `Idempotency-Key` header (`runOnce`). True: `run` binds the key. A function returns
   * what a repeat gets, as it is now; `run` then changes something in its first transaction only.
   */
  idempotent?: true | Repeated<R, NoInfer<Result>, Caller>['show'];
  /** The path that the key is bound to, where that of the request does not name its object. */
  boundTo?(caller: Caller): string;
  /** Accepts an optional `If-Match` header with the version of what it changes. */
  versioned?: true;
  /** Its responses have an `ETag`. */
  etag?: true;
  /** At most so many requests of a workspace are in progress: each starts a run, or costs much CPU. */
  concurrent?: number;
  /** The response body of each status of success; null for none. */
  responses: Partial<Record<Status, joi.Schema | OtherMedia | null>>;
  /** The errors of the operation itself; those of its route, scope, bodies and path ids are derived. */
  errors?: ErrorCode[];
  /** Examples for the document, which run as they are if their ids are replaced. */
  examples?: { query?: Record<string, string>; body?: Record<string, unknown>; response?: unknown };
  /** Does it. Takes values and returns a value; errors are thrown as `ApiError`. */
  run(input: Input<R, Body, Query>, caller: Caller, deps: ApiDependencies): Promise<Result>;
  /** Its result in HTTP; by default it is the body. */
  reply?(result: Result): Reply;
}

/** Any operation, whatever it takes and returns. */
export type AnyOperation = Operation<Route, unknown, unknown, unknown, unknown>;

/** What the API document says of an operation. */
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

/** The result of an operation in HTTP. */
export function replyTo(
  { reply, responses }: Pick<AnyOperation, 'reply' | 'responses'>,
  result: unknown,
): Reply & { status: Status } {
  const status = Math.min(...Object.keys(responses).map(Number)) as Status;
  return { status, ...(reply ? reply(result) : { body: status === 204 ? null : result }) };
}

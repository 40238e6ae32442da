import type joi from 'joi';
import type { ErrorCode } from '../../../domain/errors.js';
import type { OtherMedia } from '../../http/operation.js';

/** What the API document says about a route beyond what its middlewares require. */
export interface Operation {
  /** One line in the imperative. */
  summary: string;
  /**
   * The operation's id; made from the summary by default. Keep it when the wording changes:
   * clients are generated from it.
   */
  id?: string;
  description?: string;
  /** The response body of each status of success; null for none. */
  responses: Partial<Record<200 | 201 | 202 | 204 | 304, joi.Schema | OtherMedia | null>>;
  /**
   * An example of the JSON response with the highest status up to 201, and of others with the same schema. A
   * function, since resources use each other's examples.
   */
  example?: () => unknown;
  /** The errors of the operation itself; those of its middlewares and path ids are derived. */
  errors?: ErrorCode[];
  /** Accepts an optional `Idempotency-Key` header. */
  idempotent?: true;
  /** Accepts an optional `If-Match` header with the version of what it changes. */
  versioned?: true;
  /** An example of the query, as it is written in an address. It runs as it is if its ids are replaced. */
  query?: Record<string, string>;
  /** The media types of a body that is a file. */
  upload?: readonly string[];
  /** An example of the body. It runs as it is if its ids are replaced. */
  body?: Record<string, unknown>;
}

/** By method and path as the router has them: `GET /v1/rooms/:id`. */
export type Operations = Record<string, Operation>;

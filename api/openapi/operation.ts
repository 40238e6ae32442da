import type joi from 'joi';
import type { ErrorCode } from '../../domain/errors.js';

/** A body that isn't JSON. */
export interface OtherMedia {
  mediaType: string;
}

/** What a route's own list does not say about it. */
export interface Operation {
  /** One line, in the imperative; the operation's id is made of it. */
  summary: string;
  description?: string;
  /** What it answers when all is well, by status; null for no body. */
  answers: Partial<Record<200 | 201 | 204 | 304, joi.Schema | OtherMedia | null>>;
  /** The errors that come from what it does; those of its middlewares are known. */
  errors?: ErrorCode[];
  /** Takes an optional `Idempotency-Key` header. */
  idempotent?: true;
  /** A query that can be sent as it is, but for ids. */
  query?: Record<string, string>;
  /** A body that can be sent as it is, but for ids. */
  body?: Record<string, unknown>;
}

/** By method and path, as the router has them: `GET /v1/rooms/:id`. */
export type Operations = Record<string, Operation>;

import type joi from 'joi';
import type { ErrorCode } from '../../../domain/errors.js';
import type { EventType } from '../../../domain/events/types.js';
import type { AnyOperation, Described } from '../../http/operation.js';
import type { Tag } from './tags.js';

/** An id in a path, by the segment before it: `rooms` of `/v1/rooms/:id`. */
export interface PathId {
  /** What it identifies, in one word: `room`. */
  name: string;
  /** If it is not `The id of the <name>.` */
  description?: string;
  /** The id in the document's examples. No object has it. */
  example: string;
  /** The error code if the workspace has no such object. */
  notFound: ErrorCode;
}

/** The content of events of one type. */
export interface EventDescription {
  schema: joi.Schema;
  /** An example of `data.object`, and of `data.previous` if the type has it. */
  object: unknown;
  previous?: Record<string, unknown>;
}

export interface ResourceDescription {
  /** The section of the document that lists the operations. */
  tag: Tag;
  operations: readonly Described[];
  ids?: Record<string, PathId>;
}

/**
 * One resource of the API: its operations and everything the rest of the API needs to know about it.
 * `Events` are the event types that carry it; each of them needs a description. Registered in
 * `api/resources/index.ts`.
 */
export type Resource<Events extends EventType = never> = ResourceDescription & {
  operations: readonly AnyOperation[];
} & ([Events] extends [never] ? { events?: undefined } : { events: Record<Events, EventDescription> });

export type { EventTypesFor } from '../../../domain/events/types.js';

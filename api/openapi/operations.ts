import type { Described } from '../http/operation.js';
import type { PathId, ResourceDescription } from '../resources/shared/resource.js';

/** An operation as the document needs it: its schemas are those of its route, and these are its examples. */
export interface DescribedOperation extends Omit<Described, 'query' | 'body' | 'upload' | 'examples'> {
  /** Its section of the document. */
  tag: string;
  query?: Record<string, string>;
  body?: Record<string, unknown>;
  /** Of the JSON response with the highest status up to 201, and of others with the same schema. */
  example?: unknown;
  /** The media types of a body that is a file. */
  upload?: readonly string[];
}

/** All operations in the order of the document. */
export const listOperations = (resources: readonly ResourceDescription[]): DescribedOperation[] =>
  resources.flatMap(({ tag, operations }) =>
    operations.map(({ examples = {}, upload, ...operation }) => ({
      ...operation,
      tag,
      query: examples.query,
      body: examples.body,
      example: examples.response,
      upload: upload?.types,
    })),
  );

/** The path ids of all resources, by the segment before them. */
export const collectPathIds = (resources: readonly ResourceDescription[]): Record<string, PathId> =>
  Object.assign({}, ...resources.map(({ ids }) => ids));

/**
 * The parameters of a path and the id that each of them holds, if it is one:
 * `[['id', <room>]]` of `/v1/rooms/:id`.
 */
export const parametersIn = (path: string, ids: Record<string, PathId>): [string, PathId | undefined][] =>
  [...path.matchAll(/\/([a-z-]+)\/:(\w+)/g)].map(([, segment, name]) => [
    name!,
    name === 'id' ? ids[segment!] : (ids[name!] ?? ids[segment!]),
  ]);

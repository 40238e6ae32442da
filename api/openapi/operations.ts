import type { Operation } from '../resources/shared/operation.js';
import type { PathId, ResourceDescription } from '../resources/shared/resource.js';

/** An operation with its route, `GET /v1/rooms/:id`, and its section of the document. */
export interface DescribedOperation extends Operation {
  route: string;
  tag: string;
}

/** All operations in the order of the document. */
export const operationsOf = (resources: readonly ResourceDescription[]): DescribedOperation[] =>
  resources.flatMap(({ tag, operations }) =>
    Object.entries(operations).map(([route, operation]) => ({ ...operation, route, tag })),
  );

/** The path ids of all resources, by the segment before them. */
export const pathIdsOf = (resources: readonly ResourceDescription[]): Record<string, PathId> =>
  Object.assign({}, ...resources.map(({ ids }) => ids));

/** The parameters of a path and the id that each of them holds, if it is one: `[['id', <room>]]` of `/v1/rooms/:id`. */
export const parametersIn = (path: string, ids: Record<string, PathId>): [string, PathId | undefined][] =>
  [...path.matchAll(/\/([a-z-]+)\/:(\w+)/g)].map(([, segment, name]) => [
    name!,
    name === 'id' ? ids[segment!] : (ids[name!] ?? ids[segment!]),
  ]);

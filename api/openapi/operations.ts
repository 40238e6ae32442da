import type { AnyOperation } from '../http/operation.js';
import type { Operation } from '../resources/shared/operation.js';
import type { PathId, ResourceDescription } from '../resources/shared/resource.js';

/** An operation with its route, `GET /v1/rooms/:id`, and its section of the document. */
export interface DescribedOperation extends Operation {
  route: string;
  tag: string;
}

/** What the document says about an operation that is declared. Its schemas are those of its route. */
const describe = ({ examples = {}, upload, ...operation }: AnyOperation): Operation & { route: string } => ({
  ...operation,
  query: examples.query,
  body: examples.body,
  upload: upload?.types,
  ...(examples.response !== undefined && { example: () => examples.response }),
});

const isDeclared = (operations: ResourceDescription['operations']): operations is readonly AnyOperation[] =>
  Array.isArray(operations);

/** All operations in the order of the document. */
export const operationsOf = (resources: readonly ResourceDescription[]): DescribedOperation[] =>
  resources.flatMap(({ tag, operations }) =>
    isDeclared(operations)
      ? operations.map((operation) => ({ ...describe(operation), tag }))
      : Object.entries(operations).map(([route, operation]) => ({ ...operation, route, tag })),
  );

/** The path ids of all resources, by the segment before them. */
export const pathIdsOf = (resources: readonly ResourceDescription[]): Record<string, PathId> =>
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

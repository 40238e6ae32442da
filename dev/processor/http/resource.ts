import type { Table } from '../../simulator/table.js';
import type { ApiObject, Stored } from '../state/records.js';
import type { Store } from '../state/store.js';
import { endpoint, type Endpoint, type Target } from './endpoint.js';
import { LIST_PARAMS, listObjects, searchObjects } from './listing.js';
import { integer, required, text, type Parsed, type Shape } from './params.js';

interface ListOptions<P, O> {
  /** Further parameters. */
  params?: P;
  /** Whether an object matches the further parameters. */
  matches?(object: O, params: Parsed<P & Shape>): boolean;
}

/** The usual methods for objects of one kind. `param` is the name of the id in Stripe's errors. */
export function resource<S extends Stored>(
  path: string,
  getTable: (store: Store) => Table<S>,
  param: string,
) {
  /** The object of a call. Throws a 404 if the account has none with this id. */
  const find = ({ sim, id, account }: Target): S =>
    sim.store.require(getTable(sim.store), id, account, param);

  return {
    find,

    retrieve: (params: Shape = {}): Endpoint =>
      endpoint('get', `${path}/:id`, params, (call) => find(call).object),

    /** Lists objects, newest first. A filter is the value that the field of the same name must have. */
    list<P extends Shape = Shape>(
      filters: Shape = {},
      { params: further, matches }: ListOptions<P, S['object']> = {},
    ): Endpoint {
      const shape: typeof LIST_PARAMS & Shape = { ...LIST_PARAMS, ...filters, ...further };
      return endpoint('get', path, shape, ({ sim, params, account }) => {
        const wanted = Object.keys(filters).filter((field) => params[field] !== undefined);
        return listObjects(getTable(sim.store), path, account, params, (object) => {
          const values = object as unknown as Record<string, unknown>;
          if (wanted.some((field) => values[field] !== params[field])) return false;
          return !matches || matches(object, params as Parsed<P & Shape>);
        });
      });
    },

    search: (): Endpoint =>
      endpoint(
        'get',
        `${path}/search`,
        { query: required(text()), limit: integer(1, 100), page: text() },
        ({ sim, params, account }) => searchObjects(getTable(sim.store), `${path}/search`, account, params),
      ),

    /**
     * Updates an object: the fields that are given, and its metadata, in which an empty value removes a key.
     */
    update: (params: Shape, fields: string[] = [], changes: () => object = () => ({})): Endpoint =>
      endpoint('post', `${path}/:id`, params, (call) => {
        const stored = find(call);
        const given = fields.filter((field) => call.params[field] !== undefined);
        const { metadata: before } = stored.object as ApiObject & { metadata?: Record<string, string> };
        return call.sim.store.patch(getTable(call.sim.store), stored, {
          ...Object.fromEntries(given.map((field) => [field, call.params[field]])),
          metadata: mergeMetadata(before ?? {}, call.params['metadata'] as Record<string, string>),
          ...changes(),
        } as object as Partial<S['object']>).object;
      }),
  };
}

/** Merges metadata. An empty value removes its key. */
export function mergeMetadata(
  before: Record<string, string>,
  changes: Record<string, string> = {},
): Record<string, string> {
  const merged = Object.entries({ ...before, ...changes });
  return Object.fromEntries(merged.filter(([, value]) => value !== ''));
}

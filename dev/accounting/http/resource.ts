import type { ObjectSchema } from 'joi';
import type { Store } from '../state/store.js';
import { saveAll } from './elements.js';
import { endpoint, type Area, type Call, type Endpoint } from './endpoint.js';
import { listRecords, type Listed, type Listing } from './listing.js';

/** Objects of one kind. */
interface Resource<T, I> {
  /** The name of the list in requests and responses, and of the path: `Invoices`. */
  plural: string;
  area: Area;
  schema: ObjectSchema<I>;
  records(call: Call): Iterable<T>;
  /**
   * An object in Xero's shape. `complete` is true in a page or for a single object; an unpaged list omits
   * lines.
   */
  present(store: Store, record: T, complete?: boolean): object;
  filters?: Listing<T>['filters'];
  /** `summaryOnly` omits the lines of a list. */
  hasSummary?: true;
  /** The object from the path. Throws a 404 if it does not exist. */
  named(call: Call): T;
  create(call: Call, input: I): T;
  createOrUpdate(call: Call, input: I): T;
  update(call: Call, record: T, input: I): T;
}

/**
 * The usual methods: list, read, create with PUT, create or update with POST, and update the object in the
 * path.
 */
export function resource<T extends Listed, I>(kind: Resource<T, I>): Endpoint[] {
  const { plural, area, schema, present, named } = kind;
  const path = `/${plural}`;
  const saving = (call: Call, save: (input: I) => T) =>
    saveAll(call, plural, schema, (input) => present(call.sim.store, save(input)));
  return [
    endpoint('get', path, area, (call) =>
      listRecords(call, {
        plural,
        records: kind.records(call),
        present: (record, complete) => {
          const summary = kind.hasSummary && call.query['summaryOnly'] === 'true';
          return present(call.sim.store, record, complete && !summary);
        },
        filters: kind.filters,
      }),
    ),
    endpoint('get', `${path}/:id`, area, (call) => ({ [plural]: [present(call.sim.store, named(call))] })),
    endpoint('put', path, area, (call) => saving(call, (input) => kind.create(call, input))),
    endpoint('post', path, area, (call) => saving(call, (input) => kind.createOrUpdate(call, input))),
    endpoint('post', `${path}/:id`, area, (call) => {
      const record = named(call);
      return saving(call, (input) => kind.update(call, record, input));
    }),
  ];
}

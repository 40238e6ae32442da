import type { Call } from './endpoint.js';
import { queryInvalid } from './errors.js';
import { fieldAt, readWhere } from './where.js';

/** A record that can be listed. */
export interface Listed {
  tenant: string;
  id: string;
  updated_at: number;
}

/** How records of one kind are listed. */
export interface Listing<T> {
  /** The name of the list in the response: `Invoices`. */
  plural: string;
  records: Iterable<T>;
  /** `isComplete` is true in a page or for a single object. An unpaged list omits lines. */
  present: (record: T, complete: boolean) => object;
  /** Filters of the query other than `where`, by name. */
  filters?: Record<string, (record: T, wanted: string[]) => boolean>;
}

/**
 * A list in Xero's form. It is filtered by `where`, by explicit filters and by If-Modified-Since, and ordered
 * by the last change unless `order` is given. It is unpaged, or in pages of 100 with `page`.
 */
export function listRecords<T extends Listed>(
  call: Call,
  { plural, records, present, filters = {} }: Listing<T>,
) {
  const { query, organisation } = call;
  const chosen = Object.entries(filters).flatMap(([name, fits]) => {
    const wanted = query[name]?.split(',').map((each) => each.trim());
    return wanted ? [(record: T) => fits(record, wanted)] : [];
  });
  const paged = query['page'] !== undefined || query['pageSize'] !== undefined;
  const test = query['where'] ? readWhere(query['where']) : () => true;
  const objects = [...records]
    .filter(({ tenant }) => tenant === organisation.tenant_id)
    .filter((record) => chosen.every((fits) => fits(record)))
    .sort((a, b) => a.updated_at - b.updated_at || (a.id < b.id ? -1 : 1))
    .map((record) => present(record, paged))
    .filter(test);
  const ordered = inOrder(objects, query['order']);
  return paged ? paginate(plural, ordered, query) : { [plural]: ordered };
}

/** Lists values that are not records, such as accounts. */
export function listValues(call: Call, plural: string, objects: object[]) {
  const test = call.query['where'] ? readWhere(call.query['where']) : () => true;
  return { [plural]: inOrder(objects.filter(test), call.query['order']) };
}

function paginate(plural: string, objects: object[], query: Call['query']) {
  const page = Math.max(1, Number(query['page'] ?? 1) || 1);
  const pageSize = Math.min(1000, Math.max(1, Number(query['pageSize'] ?? 100) || 100));
  const itemCount = objects.length;
  const pageCount = Math.ceil(itemCount / pageSize);
  return {
    pagination: { page, pageSize, pageCount, itemCount },
    [plural]: objects.slice((page - 1) * pageSize, page * pageSize),
  };
}

function inOrder(objects: object[], order: string | undefined): object[] {
  if (!order) return objects;
  const [, path, direction = 'asc'] = /^\s*([A-Za-z][\w.]*)(?:\s+(asc|desc))?\s*$/i.exec(order) ?? [];
  if (!path) throw queryInvalid(`The accounting simulator cannot read this order: ${order}`);
  const sign = direction.toLowerCase() === 'desc' ? -1 : 1;
  return objects.toSorted((a, b) => {
    const [left, right] = [fieldAt(a, path), fieldAt(b, path)];
    if (left === right) return 0;
    return (left ?? '') < (right ?? '') ? -sign : sign;
  });
}

import type { ApiObject, Stored } from '../state/records.js';
import { invalidRequest, resourceMissing } from './errors.js';
import type { FormValue } from './form.js';
import { integer, text, type Param } from './params.js';

interface Range {
  gt?: number;
  gte?: number;
  lt?: number;
  lte?: number;
}

/** The parameters of every list. */
export const LIST_PARAMS = {
  limit: integer(1, 100),
  starting_after: text(),
  ending_before: text(),
  created: range(),
};

interface Page {
  limit?: number;
  starting_after?: string;
  ending_before?: string;
  created?: Range;
}

/** A table, or anything that can be listed like one. */
interface Source<S> {
  newestFirst(): S[];
}

/** A page of an account's objects, newest first. */
export function listObjects<S extends Stored>(
  source: Source<S>,
  url: string,
  account: string | null,
  page: Page,
  matches: (object: S['object']) => boolean = () => true,
) {
  const found = source
    .newestFirst()
    .filter(
      ({ account: owner, object }) => owner === account && inRange(object, page.created) && matches(object),
    )
    .map(({ object }) => object);
  return { object: 'list', url, ...slice(found, page) };
}

/** A search over an account's objects, such as `metadata['key']:'value' AND status:'succeeded'`. */
export function searchObjects<S extends Stored>(
  source: Source<S>,
  url: string,
  account: string | null,
  { query, limit = 10, page = '0' }: { query: string; limit?: number; page?: string },
) {
  const conditions = query.split(/\s+AND\s+/i).map(condition);
  const found = source
    .newestFirst()
    .filter(({ account: owner, object }) => owner === account && conditions.every((holds) => holds(object)))
    .map(({ object }) => object);
  const end = Number(page) + limit;
  const has_more = found.length > end;
  const data = found.slice(Number(page), end);
  return { object: 'search_result', url, data, has_more, next_page: has_more ? String(end) : null };
}

/** A list inside an object. */
export function listInside<T>(url: string, data: T[]) {
  return { object: 'list' as const, data, has_more: false, url };
}

function slice<T extends ApiObject>(found: T[], { limit = 10, starting_after, ending_before }: Page) {
  const findObjectIndex = (id: string, param: string) => {
    const index = found.findIndex((object) => object.id === id);
    if (index < 0) throw resourceMissing('object', id, param, 400);
    return index;
  };
  if (ending_before) {
    const end = findObjectIndex(ending_before, 'ending_before');
    return { data: found.slice(Math.max(0, end - limit), end), has_more: end > limit };
  }
  const start = starting_after ? findObjectIndex(starting_after, 'starting_after') + 1 : 0;
  return { data: found.slice(start, start + limit), has_more: found.length > start + limit };
}

function inRange(object: object, created?: Range): boolean {
  if (!created) return true;
  const at = (object as { created: number }).created;
  const { gt = -Infinity, gte = -Infinity, lt = Infinity, lte = Infinity } = created;
  return at > gt && at >= gte && at < lt && at <= lte;
}

function range(): Param<Range | undefined> {
  const bound = integer();
  return {
    required: false,
    read(value: FormValue, name) {
      if (typeof value === 'string') return { gte: bound.read(value, name), lte: bound.read(value, name) };
      const bounds = Object.entries(value).map(([key, each]) => {
        if (!['gt', 'gte', 'lt', 'lte'].includes(key)) {
          throw invalidRequest(`Received unknown parameter: ${name}[${key}]`, { code: 'parameter_unknown' });
        }
        return [key, bound.read(each, `${name}[${key}]`)];
      });
      return Object.fromEntries(bounds) as Range;
    },
  };
}

function condition(clause: string): (object: object) => boolean {
  const match = /^\s*(\w+)(?:\[(['"])(.+?)\2\])?\s*:\s*(['"]?)(.*?)\4\s*$/.exec(clause);
  if (!match) throw invalidRequest(`Invalid search query: ${clause}`, 'query');
  const [, field = '', , key, , wanted] = match;
  return (object) => {
    const value = (object as Record<string, unknown>)[field];
    return String(key ? (value as Record<string, unknown> | null)?.[key] : value) === wanted;
  };
}

import joi from 'joi';
import type { ComponentChildren } from 'preact';
import { DAY_MS } from '../../../domain/durations.js';
import { toInstant } from '../../../domain/time-zone.js';
import type { ApiContext } from '../../../api/http/context.js';
import { withChosen } from './fields.js';
import { pathIn } from './paths.js';
import { cursorParam, decodeCursor, encodeCursor, MAX_LIST_NAME } from '../../../api/http/cursor.js';

export const PAGE_SIZE = 25;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** The value of a date field; an invalid date is ignored. */
const day = joi
  .string()
  .allow('')
  .custom((value: string) =>
    DATE.test(value) && !Number.isNaN(Date.parse(value)) && value >= '1970' ? value : undefined,
  );

/** A filter of a list: the value of a select field. Empty for all. */
export const choiceFilter = (values: readonly string[]) =>
  joi
    .string()
    .allow('')
    .valid(...values);

/** The query of a list: days of the workspace's time zone, both inclusive, and the position of the page. */
export const listFields = { from: day, to: day, cursor: cursorParam };

export interface ListQuery {
  from?: string;
  to?: string;
  cursor?: string;
}

/** The instants of a list's days: `[from, to)`. */
export function readRange({ from, to }: ListQuery, timeZone: string): { from?: Date; to?: Date } {
  return {
    from: from ? new Date(toInstant(Date.parse(from), timeZone)) : undefined,
    to: to ? new Date(toInstant(Date.parse(to) + DAY_MS, timeZone)) : undefined,
  };
}

interface Field {
  name: string;
  label: string;
  /** Options of a select field with their labels. */
  options?: (readonly [value: string, label: string])[];
  type?: 'search' | 'date';
}

function FilterInput({ type, ...rest }: { type: 'search' | 'date'; name: string; value?: string }) {
  return type === 'date' ? (
    <input type="date" {...rest} />
  ) : (
    <input type="search" maxLength={100} {...rest} />
  );
}

function FilterField({ of, value }: { of: Field; value: string | undefined }) {
  const { name, label, options, type = 'search' } = of;
  return (
    <div>
      <label>
        <span>{label}</span>
        {options ? (
          <select name={name}>
            <option value="">All</option>
            {withChosen(options, value ? [value] : []).map(([each, label]) => (
              <option key={each} value={each} selected={each === value}>
                {label}
              </option>
            ))}
          </select>
        ) : (
          <FilterInput type={type} name={name} value={value} />
        )}
      </label>
    </div>
  );
}

/** Whether a field is the list's search, which phones show without opening the filter. */
const isSearch = ({ options, type = 'search' }: Field): boolean => !options && type === 'search';

/** The form with a list's filter, which stays in the address. On phones a button opens all but its search. */
export function Filter(props: {
  ctx: ApiContext;
  fields: Field[];
  /** Other query parameters that a search keeps. */
  keep?: Record<string, string | undefined>;
  /** Shown next to its button: exports of the results. */
  children?: ComponentChildren;
}) {
  const { ctx, fields, keep = {}, children } = props;
  const query = ctx.state.query as Record<string, string | undefined>;
  const show = (field: Field) => <FilterField key={field.name} of={field} value={query[field.name]} />;
  const others = fields.filter((field) => !isSearch(field));
  const chosen = others.filter(({ name }) => query[name]).length;
  const button = <button class="quiet">Search</button>;
  return (
    <form class="filter" role="search" id="filter">
      {fields.filter(isSearch).map(show)}
      {others.length > 0 ? (
        <>
          <button type="button" class="quiet opens" popovertarget="filters">
            Filters{chosen > 0 && ` (${chosen})`}
          </button>
          <div id="filters" class="menu-card" popover="auto">
            {others.map(show)}
            {button}
          </div>
        </>
      ) : (
        button
      )}
      {Object.entries(keep).map(
        ([name, value]) => value && <input key={name} type="hidden" name={name} value={value} />,
      )}
      {children}
    </form>
  );
}

/** Exports what the filter form contains, even before a search. */
export function ExportButton(props: { ctx: ApiContext; path: string; view?: string; children: string }) {
  const { ctx, path, view, children } = props;
  return (
    <button class="quiet" form="filter" formaction={pathIn(ctx, path)} name={view && 'view'} value={view}>
      {children}
    </button>
  );
}

/** Whether the query filters the list or selects a later page. */
const isNarrowed = (ctx: ApiContext): boolean =>
  Object.values((ctx.state.query ?? {}) as ListQuery).some(Boolean);

/**
 * A list without rows: what it is for, and how to add the first object (`children`). If the query filters the
 * list, says that nothing matches.
 */
export function Empty(props: { ctx: ApiContext; says: string; children?: ComponentChildren }) {
  const { ctx, says, children } = props;
  if (isNarrowed(ctx)) return <p class="empty">Nothing matches.</p>;
  return (
    <div class="empty">
      <p>{says}</p>
      <div class="actions">{children}</div>
    </div>
  );
}

export const DAYS: Field[] = [
  { name: 'from', label: 'From', type: 'date' },
  { name: 'to', label: 'To', type: 'date' },
];

/** The current address with other values in its query; an undefined value removes a parameter. */
export function addressWith(ctx: ApiContext, changes: Record<string, string | undefined>): string {
  const query = { ...(ctx.state.query as Record<string, string | undefined>), ...changes };
  const kept = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  const search = new URLSearchParams(kept).toString();
  return search ? `${ctx.path}?${search}` : ctx.path;
}

/**
 * Reads the requested page of a list, with one extra row to know whether there is a next one. `key`: the time
 * that rows are sorted by. Errors: 422 `validation_failed` for the cursor of another list.
 */
export async function readPage<Key extends string, Row extends { id: string } & Record<Key, Date | null>>(
  ctx: ApiContext,
  isId: (id: string) => boolean,
  key: Key,
  list: (page: { after?: Record<Key | 'id', string>; limit: number }) => Promise<Row[]>,
  getKey = (row: Row): Date => row[key]!,
): Promise<{ rows: Row[]; next: string | undefined }> {
  const of = { name: ctx.path.slice(-MAX_LIST_NAME), isId };
  const start = decodeCursor((ctx.state.query as ListQuery).cursor, of);
  const after = start && ({ [key]: start.key, id: start.id } as Record<Key | 'id', string>);
  const found = await list({ after, limit: PAGE_SIZE + 1 });
  const rows = found.slice(0, PAGE_SIZE);
  const last = rows.at(-1);
  return {
    rows,
    next: found.length > PAGE_SIZE && last ? encodeCursor(of, getKey(last), last.id) : undefined,
  };
}

/** The part of a list's query that selects the page. */
export const pageQuery = (cursor: string | undefined) => ({ limit: PAGE_SIZE, cursor });

/** Shows or hides archived items. `of`: their plural name. */
export function ArchivedLink({ ctx, of }: { ctx: ApiContext; of: string }) {
  const { archived } = ctx.state.query as { archived?: 'yes' };
  return (
    <p class="links soft">
      <a href={addressWith(ctx, { archived: archived ? undefined : 'yes', cursor: undefined })}>
        {archived ? 'Hide' : 'Show'} archived {of}
      </a>
    </p>
  );
}

export function Pager({ ctx, next }: { ctx: ApiContext; next: string | undefined }) {
  const { cursor } = ctx.state.query as ListQuery;
  if (!cursor && !next) return null;
  return (
    <p class="pager">
      {cursor && <a href={addressWith(ctx, { cursor: undefined })}>First page</a>}
      {next && (
        <a rel="next" href={addressWith(ctx, { cursor: next })}>
          Next page
        </a>
      )}
    </p>
  );
}

/** A cell; on a phone its label is before the value. */
interface Column<Row> {
  name: string;
  number?: boolean;
  show: (row: Row) => ComponentChildren;
}

/** A table with a row per object; on a phone each row is a block. */
export function Table<Row extends { id: string }>(props: {
  rows: Row[];
  columns: Column<Row>[];
  /** Shown without rows: words, or an `Empty`. */
  empty: ComponentChildren;
}) {
  const { rows, columns, empty } = props;
  if (rows.length === 0) return typeof empty === 'string' ? <p class="soft">{empty}</p> : empty;
  return (
    <div class="scroll">
      <table class="list">
        <thead>
          <tr>
            {columns.map(({ name, number }) => (
              <th key={name} class={number ? 'number' : undefined}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              {columns.map(({ name, number, show }) => (
                <td key={name} class={number ? 'number' : undefined}>
                  {show(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

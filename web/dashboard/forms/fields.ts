import joi from 'joi';
import { allowedBy } from '../../../api/http/typed.js';
import { amountEntered, amountInput } from '../shared/money-field.js';
import { dayIn, startOfDay } from '../../../domain/cycle.js';
import { formatMoney } from '../../../domain/display.js';
import { ApiError } from '../../../domain/errors.js';
import { addTax, findNet } from '../../../domain/rates/entered-price.js';
import { exactInstantIn, localTime } from '../shared/local-time.js';

/** In which currency and time zone the amounts and times of a form are entered. */
export interface Entry {
  currency: string;
  time_zone: string;
  /** Amounts are entered with tax at this rate, in basis points, and stored without it. */
  tax_bps?: number;
}

/** A form as it is submitted. */
export type Submitted = Record<string, string | string[] | undefined>;

/**
 * How a field of an operation's body is entered, which follows from its schema. `minutes` are kept in
 * seconds; a `day` is a time that is entered as a day: its start.
 */
export type Kind =
  | 'text'
  | 'lines'
  | 'words'
  | 'number'
  | 'minutes'
  | 'money'
  | 'moment'
  | 'day'
  | 'flag'
  | 'choice'
  | 'choices';

/** One field of a body: its path there, which is the name of its input, and its schema. */
export interface Field {
  path: string;
  schema: joi.Schema;
  kind: Kind;
  /**
   * Whether the form changes an object that has the field already. It can then be emptied only if the body
   * can have null.
   */
  isChange: boolean;
  /** Overrides whether the schema requires it. */
  required?: boolean;
}

/** The parts of a schema that joi's extensions receive. */
interface Terms {
  items?: joi.Schema[];
  metas?: { json?: { format?: string } }[];
}
const schemaTerms = (schema: joi.Schema): Terms => (schema as unknown as { $_terms: Terms }).$_terms;

/** The format of a schema in the API document: `date-time`, `idn-email`. */
export const schemaFormat = (schema: joi.Schema): string | undefined =>
  schemaTerms(schema).metas?.findLast(({ json }) => json?.format)?.json!.format;

/** The schema of the items of a list. */
export const itemSchema = (schema: joi.Schema): joi.Schema => schemaTerms(schema).items![0]!;

const isChoice = (schema: joi.Schema): boolean => schema.$_getFlag('only') === true;

function inputKind(path: string, schema: joi.Schema): Kind {
  switch (schema.type) {
    case 'number':
      if (path.endsWith('_minor')) return 'money';
      return path.endsWith('_seconds') ? 'minutes' : 'number';
    case 'boolean':
      return 'flag';
    case 'array':
      return isChoice(itemSchema(schema)) ? 'choices' : 'lines';
    default:
      return schemaFormat(schema) === 'date-time' ? 'moment' : isChoice(schema) ? 'choice' : 'text';
  }
}

export function fieldAt(
  { body, isChange }: { body: joi.ObjectSchema; isChange: boolean },
  path: string,
  { kind, required }: { kind?: Kind; required?: boolean } = {},
): Field {
  const schema = body.extract(path);
  return { path, schema, kind: kind ?? inputKind(path, schema), isChange, required };
}

/** The words that a field can have: of a choice, or of each item of a list. */
export const allowedValues = ({ schema }: Field): string[] =>
  allowedBy(schema.type === 'array' ? itemSchema(schema) : schema).filter(
    (word): word is string => typeof word === 'string',
  );

const accepts = (schema: joi.Schema, value: unknown): boolean => allowedBy(schema).includes(value);

export function isRequired({ schema, isChange, kind, required }: Field): boolean {
  if (required !== undefined) return required;
  if (kind === 'flag' || kind === 'choices') return false;
  if (schema.type === 'array' && !schema.$_getRule('min')) return false;
  if (!isChange) return schema.$_getFlag('presence') === 'required';
  return !accepts(schema, null) && !accepts(schema, '');
}

/** A field that a form repeats: the boxes of a choice, or the cells of a column. */
export const repeated = joi.array().items(joi.string().max(1_000).allow('')).single().max(500).default([]);

/** Marks what a form submits for an amount of money. */
export const moneyField = <S extends joi.Schema>(submitted: S): S => submitted.meta({ money: true }) as S;

/** What a form submits for a field. Only the operation checks its limits. */
export function submittedFields({ path, schema, kind }: Field): Record<string, joi.Schema> {
  switch (kind) {
    case 'money':
      return { [path]: moneyField(joi.string().trim().allow('')) };
    case 'flag':
      return { [path]: joi.valid('on') };
    case 'choices':
      return { [path]: repeated };
    case 'moment':
      return { [path]: joi.string().trim().allow(''), [`${path}.exact`]: joi.string().allow('') };
    case 'day':
      // Joi converts the day to a time in UTC.
      return { [path]: joi.string().isoDate().allow('') };
    default:
      // Fields that may be empty are free text, which is kept as written.
      return { [path]: (accepts(schema, '') ? joi.string() : joi.string().trim()).allow('') };
  }
}

/** A number, or null for an empty field; other text is kept for the operation's schema to refuse. */
export function numberEntered(text: string | undefined): number | string | null {
  if (!text) return null;
  // As JavaScript writes them: `0.0000001` is `1e-7`.
  return /^-?\d{1,9}(\.\d+)?(e-\d+)?$/.test(text.trim()) ? Number(text) : text;
}

/**
 * The amount to store for one that was entered: without its tax, if it was entered with it. Errors: 422 on
 * `field` for an amount that no price has with its tax.
 */
function amountToStore(amount_minor: number | null, { currency, tax_bps }: Entry, field: string) {
  if (amount_minor === null || tax_bps === undefined) return amount_minor;
  const sign = amount_minor < 0 ? -1 : 1;
  const found = findNet(sign * amount_minor, tax_bps, currency);
  if ('net_minor' in found) return sign * found.net_minor;
  const [entered, below, above] = [sign * amount_minor, found.below_minor, found.above_minor].map((minor) =>
    formatMoney({ amount_minor: sign * minor, currency }),
  );
  throw new ApiError(
    'validation_failed',
    `At ${tax_bps / 100}% tax, ${entered} is not possible: enter ${below} or ${above}.`,
    { param: field },
  );
}

function valueEntered({ path, kind }: Field, form: Submitted, entry: Entry): unknown {
  const { currency, time_zone } = entry;
  const value = form[path];
  if (kind === 'flag') return value === 'on';
  if (kind === 'choices') return [value ?? []].flat();
  const text = [value ?? ''].flat()[0]!.replaceAll('\r\n', '\n');
  switch (kind) {
    case 'number':
      return numberEntered(text) ?? '';
    case 'minutes': {
      const minutes = numberEntered(text) ?? '';
      return typeof minutes === 'number' ? Math.round(minutes * 60) : minutes;
    }
    case 'money':
      return amountToStore(amountEntered(text, currency, path), entry, path) ?? '';
    case 'moment': {
      const exact = [form[`${path}.exact`] ?? []].flat()[0];
      return text && exactInstantIn({ value: text, exact }, time_zone, path).toISOString();
    }
    case 'words':
      return text.split(/\s+/).filter(Boolean);
    case 'day':
      return text && startOfDay(text.slice(0, 10), time_zone).toISOString();
    case 'lines':
      return text.split('\n').flatMap((line) => line.trim() || []);
    default:
      return text;
  }
}

/**
 * The body's value of a field; undefined leaves it out. An empty field is null if the body allows null; an
 * empty required field is passed on for the operation to reject. Errors: 422 on its path for an invalid
 * amount or time.
 */
export function entered(field: Field, form: Submitted, entry: Entry): unknown {
  const value = valueEntered(field, form, entry);
  const isEmpty = value === '' || (Array.isArray(value) && value.length === 0);
  if (!isEmpty) return value;
  if (accepts(field.schema, null)) return null;
  if (accepts(field.schema, value)) return value;
  return isRequired(field) || Array.isArray(value) ? value : undefined;
}

/** Seconds as the minutes that people enter: at most 4 decimals, which give the same seconds again. */
export const minutesIn = (seconds: number): string => String(Number((seconds / 60).toFixed(4)));

/** The text of a field's input for a value. */
export function written({ kind }: Field, value: unknown, entry: Entry): string {
  const { currency, time_zone, tax_bps } = entry;
  if (value === null || value === undefined) return '';
  if (kind === 'money') {
    const stored = value as number;
    const amount_minor = tax_bps === undefined ? stored : addTax(stored, tax_bps, currency);
    return amountInput({ amount_minor, currency });
  }
  if (kind === 'minutes') return minutesIn(value as number);
  if (kind === 'moment') return localTime(new Date(value as string), time_zone);
  if (kind === 'day') return dayIn(time_zone, new Date(value as string));
  return Array.isArray(value) ? value.join('\n') : String(value as string | number);
}

/** The value at a path of an object: `audience.kind`. */
export const valueAt = (of: unknown, path: string): unknown =>
  path.split('.').reduce((value, name) => (value as Record<string, unknown> | null | undefined)?.[name], of);

/** The body's value of a field if its form were submitted unchanged. */
export const enteredValue = (field: Field, of: unknown, entry: Entry): unknown => {
  const value = valueAt(of, field.path);
  const exact = field.kind === 'moment' ? { [`${field.path}.exact`]: value as string } : {};
  return entered(field, { [field.path]: written(field, value, entry), ...exact }, entry);
};

/** The body with the currency of an amount: that of the form. */
export const inCurrency =
  (name: string) =>
  (entered: Record<string, unknown>, { currency }: Entry): Record<string, unknown> => ({
    ...entered,
    [name]: { ...(entered[name] as object), currency },
  });

/** A body of values by their paths. An object whose parts are all null is null, if it can be. */
export function bodyWith(values: Record<string, unknown>, schema: joi.ObjectSchema): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  const parents = new Set<string>();
  for (const [path, value] of Object.entries(values)) {
    if (value === undefined) continue;
    const names = path.split('.');
    const last = names.pop()!;
    if (names.length > 0) parents.add(names[0]!);
    let part = body;
    for (const name of names) part = (part[name] ??= {}) as Record<string, unknown>;
    part[last] = value;
  }
  for (const name of parents)
    if (accepts(schema.extract(name), null))
      if (Object.values(body[name] as object).every((part) => part === null)) body[name] = null;
  return body;
}

import { Fragment, type ComponentChildren } from 'preact';
import type { JsonSchema } from './json-schema.js';

/** Text with `code` in backticks. */
export const Prose = ({ text }: { text: string }) => (
  <>{text.split('`').map((part, n) => (n % 2 === 0 ? part : <code key={n}>{part}</code>))}</>
);

const NAME = '#/components/schemas/';

function joined(parts: ComponentChildren[], word: string): ComponentChildren {
  return parts.map((part, n) => (
    <Fragment key={n}>
      {n > 0 && ` ${word} `}
      {part}
    </Fragment>
  ));
}

const FORMATS: Record<string, string> = { 'date-time': 'time', email: 'mail address', uuid: 'UUID' };

/** What kind of text: a time, an id (`bk_…`), or any. */
function textOf({ format, pattern = '' }: JsonSchema): string {
  const [, prefix] = /^\^([a-z]+_)\[0-7\]/.exec(pattern) ?? [];
  return FORMATS[format] ?? (prefix ? `${prefix}…` : 'string');
}

/** What a value is, in a few words; a named schema is a link to it. */
export function typeOf(schema: JsonSchema): ComponentChildren {
  if (schema.$ref) {
    const name = schema.$ref.slice(NAME.length);
    return <a href={`#${name}`}>{name}</a>;
  }
  if (schema.anyOf) return joined(schema.anyOf.map(typeOf), 'or');
  if (schema.enum)
    return joined(
      schema.enum.map((value: unknown) => <code>{String(value)}</code>),
      '|',
    );
  if (schema.type === 'array' || schema.type?.[0] === 'array')
    return <>list of {schema.items ? typeOf(schema.items) : 'pairs'}</>;
  const words = [schema.type ?? 'anything'].flat();
  return words.map((word: string) => (word === 'string' ? textOf(schema) : word)).join(' or ');
}

/** The limits of a value. */
function limitsOf(schema: JsonSchema): string {
  const { minimum, exclusiveMinimum, maximum, minLength, maxLength, minItems, maxItems } = schema;
  const from = minimum ?? exclusiveMinimum;
  return [
    from !== undefined &&
      maximum !== undefined &&
      `${from.toLocaleString('en')} to ${maximum.toLocaleString('en')}`,
    from > 0 && maximum === undefined && `${from.toLocaleString('en')} at least`,
    maxLength !== undefined &&
      `${minLength > 1 ? `${minLength} to ` : 'at most '}${maxLength.toLocaleString('en')} characters`,
    maxItems !== undefined &&
      `${minItems ? `${minItems} to ` : 'at most '}${maxItems.toLocaleString('en')} of them`,
    'default' in schema && typeof schema.default !== 'object' && `${schema.default} unless told`,
    schema.description,
  ]
    .filter(Boolean)
    .join('; ');
}

interface Field {
  name: string;
  schema: JsonSchema;
  required: boolean;
}

const DEPTH = 3;

/** An object's fields, those of the objects in it behind them: `price.currency`, `lines[].quantity`. */
function fieldsOf(schema: JsonSchema, within = '', depth = 0): Field[] {
  const { properties = {}, required = [] } = schema;
  return Object.entries<JsonSchema>(properties).flatMap(([name, inner]) => {
    const field = { name: within + name, schema: inner, required: required.includes(name) };
    if (depth >= DEPTH) return [field];
    const below = inner.items?.properties
      ? fieldsOf(inner.items, `${field.name}[].`, depth + 1)
      : fieldsOf(inner, `${field.name}.`, depth + 1);
    return [field, ...below];
  });
}

/** What has to be given together, or not. */
function rulesOf(schema: JsonSchema): string[] {
  const names = (options: JsonSchema[]): string =>
    options.flatMap(({ required = [] }) => required.map((name: string) => `\`${name}\``)).join(', ');
  return (schema.allOf ?? []).flatMap(({ oneOf, anyOf, dependentRequired }: JsonSchema) => [
    ...(oneOf ? [`Just one of ${names(oneOf)}.`] : []),
    ...(anyOf ? [`At least one of ${names(anyOf)}.`] : []),
    ...Object.entries<string[]>(dependentRequired ?? {}).map(
      ([name, peers]) => `\`${name}\` only with ${peers.map((peer) => `\`${peer}\``).join(', ')}.`,
    ),
  ]);
}

/** The fields of an object as a table. `asked` marks those that a request must have. */
export function Fields({ schema, asked }: { schema: JsonSchema; asked?: boolean }) {
  const fields = fieldsOf(schema);
  if (fields.length === 0) return null;
  return (
    <>
      <FieldTable fields={fields} asked={asked} />
      {rulesOf(schema).map((rule) => (
        <p key={rule} class="soft">
          <Prose text={rule} />
        </p>
      ))}
    </>
  );
}

export function FieldTable({ fields, asked }: { fields: Field[]; asked?: boolean }) {
  return (
    <div class="scroll">
      <table>
        {fields.map(({ name, schema, required }) => (
          <tr key={name}>
            <th>
              <code>{name}</code>
              {asked && required && <span class="required"> required</span>}
              {!asked && !required && <span class="soft"> if any</span>}
            </th>
            <td>{typeOf(schema)}</td>
            <td class="soft">
              <Prose text={limitsOf(schema)} />
            </td>
          </tr>
        ))}
      </table>
    </div>
  );
}

import { Fragment, type ComponentChildren } from 'preact';
import type { JsonSchema } from '../../api/openapi/json-schema.js';

export const MarkedText = ({ text }: { text: string }) => (
  <>{text.split('`').map((part, n) => (n % 2 === 0 ? part : <code key={n}>{part}</code>))}</>
);

/** Codes side by side, wrapped as needed. `link`: returns the address for a code. */
export const Codes = ({ of, link }: { of: readonly string[]; link?: (code: string) => string }) => (
  <span class="codes">
    {of.map((code) => (
      <Fragment key={code}>
        {link ? (
          <a href={link(code)}>
            <code>{code}</code>
          </a>
        ) : (
          <code>{code}</code>
        )}{' '}
      </Fragment>
    ))}
  </span>
);

const NAME = '#/components/schemas/';

function joined(parts: ComponentChildren[], separator: string): ComponentChildren {
  return parts.map((part, n) => (
    <Fragment key={n}>
      {n > 0 && ` ${separator} `}
      {part}
    </Fragment>
  ));
}

const FORMATS: Record<string, string> = { 'date-time': 'time', email: 'email address', uuid: 'UUID' };

/** The kind of a string: a time, an id (`bk_…`) or any. */
function describeStringType({ format = '', pattern = '' }: JsonSchema): string {
  const [, prefix] = /^\^([a-z]+_)\[0-7\]/.exec(pattern) ?? [];
  return FORMATS[format] ?? (prefix ? `${prefix}…` : 'string');
}

/** The type of a value in a few words. A named schema is a link. */
export function describeType(schema: JsonSchema): ComponentChildren {
  if (schema.$ref) {
    const name = schema.$ref.slice(NAME.length);
    return <a href={`#${name}`}>{name}</a>;
  }
  if (schema.anyOf) return joined(schema.anyOf.map(describeType), 'or');
  const values = schema.enum ?? schema['x-extensible-enum'];
  if (values) {
    // Later releases may add values.
    return (
      <>
        <Codes of={values.map(String)} />
        {!schema.enum && '…'}
      </>
    );
  }
  if (schema.type === 'array' || schema.type?.[0] === 'array')
    return <>array of {schema.items ? describeType(schema.items) : 'pairs'}</>;
  const types = [schema.type ?? 'any'].flat();
  return types.map((type) => (type === 'string' ? describeStringType(schema) : type)).join(' or ');
}

/** The description and the limits of a value. */
function describeLimits(schema: JsonSchema): string {
  const { minimum, exclusiveMinimum, maximum, minLength, maxLength, minItems, maxItems } = schema;
  const from = minimum ?? exclusiveMinimum;
  const limits = [
    from !== undefined &&
      maximum !== undefined &&
      `${from.toLocaleString('en')} to ${maximum.toLocaleString('en')}`,
    from !== undefined && from > 0 && maximum === undefined && `at least ${from.toLocaleString('en')}`,
    maxLength !== undefined &&
      `${minLength && minLength > 1 ? `${minLength} to ` : 'at most '}${maxLength.toLocaleString('en')} ` +
        'characters',
    maxItems !== undefined &&
      `${minItems ? `${minItems} to ` : 'at most '}${maxItems.toLocaleString('en')} items`,
    'default' in schema && typeof schema.default !== 'object' && `default ${schema.default}`,
  ];
  const sentence = limits.filter(Boolean).join('; ');
  return [schema.description, sentence && `${sentence[0]!.toUpperCase()}${sentence.slice(1)}.`]
    .filter(Boolean)
    .join(' ');
}

interface Field {
  name: string;
  schema: JsonSchema;
  required: boolean;
}

const DEPTH = 3;

/** The fields of an object, each followed by its nested fields: `price.currency`, `lines[].quantity`. */
function listFields(schema: JsonSchema, within = '', depth = 0): Field[] {
  const { properties = {}, required = [] } = schema;
  return Object.entries(properties).flatMap(([name, inner]) => {
    const field = { name: within + name, schema: inner, required: required.includes(name) };
    if (depth >= DEPTH) return [field];
    const below = inner.items?.properties
      ? listFields(inner.items, `${field.name}[].`, depth + 1)
      : listFields(inner, `${field.name}.`, depth + 1);
    return [field, ...below];
  });
}

function describeRules(schema: JsonSchema): string[] {
  const names = (options: JsonSchema[]): string =>
    options.flatMap(({ required = [] }) => required.map((name) => `\`${name}\``)).join(', ');
  return (schema.allOf ?? []).flatMap(({ oneOf, anyOf, dependentRequired }) => [
    ...(oneOf ? [`Exactly one of ${names(oneOf)}.`] : []),
    ...(anyOf ? [`At least one of ${names(anyOf)}.`] : []),
    ...Object.entries(dependentRequired ?? {}).map(
      ([name, peers]) => `\`${name}\` requires ${peers.map((peer) => `\`${peer}\``).join(', ')}.`,
    ),
  ]);
}

/**
 * The fields of an object as a table. `request` marks required fields, otherwise optional ones are marked.
 */
export function Fields({ schema, request }: { schema: JsonSchema; request?: boolean }) {
  const fields = listFields(schema);
  if (fields.length === 0) return null;
  return (
    <>
      <FieldTable fields={fields} request={request} />
      {describeRules(schema).map((rule) => (
        <p key={rule} class="soft">
          <MarkedText text={rule} />
        </p>
      ))}
    </>
  );
}

/** A list instead of a table, so that nothing scrolls sideways on a phone. */
export function FieldTable(props: {
  fields: Field[];
  request?: boolean;
  /** Builds the anchor of a field, which the search uses too. */
  anchor?: (name: string) => string;
}) {
  const { fields, request, anchor } = props;
  return (
    <dl class="fields">
      {fields.map(({ name, schema, required }) => (
        <div key={name} id={anchor?.(name)} data-find={anchor && name}>
          <dt>
            <code>{name}</code> <span class="soft">{describeType(schema)}</span>
            {request && required && <span class="required"> required</span>}
            {!request && !required && <span class="soft"> optional</span>}
            {schema.deprecated && <span class="soft"> deprecated</span>}
          </dt>
          <dd>
            <MarkedText text={describeLimits(schema)} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

import type joi from 'joi';
import { readMeta, type Deprecation, type Meta } from '../http/meta.js';
import { STORABLE, TRIMMED } from '../http/patterns.js';

/** The parts of JSON Schema 2020-12 that the document uses. */
export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  format?: string;
  pattern?: string;
  enum?: unknown[];
  /** The current values of a text that can get more values later (docs/guides/versions.md#what-can-grow). */
  'x-extensible-enum'?: unknown[];
  deprecated?: boolean;
  'x-sunset'?: string;
  const?: unknown;
  default?: unknown;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  patternProperties?: Record<string, JsonSchema>;
  propertyNames?: JsonSchema;
  items?: JsonSchema;
  allOf?: JsonSchema[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  not?: JsonSchema;
  dependentRequired?: Record<string, string[]>;
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
}

/** A rule between fields as joi represents it. */
interface Dependency {
  rel: string;
  key: { key: string } | null;
  /** Names of fields. */
  paths: string[];
}

const required = (name: string): JsonSchema => ({ required: [name] });

/** joi's rules between fields, which its JSON Schema omits. */
function dependency({ rel, key, paths: peers }: Dependency): JsonSchema {
  switch (rel) {
    case 'xor':
      return { oneOf: peers.map(required) };
    case 'or':
      return { anyOf: peers.map(required) };
    case 'oxor':
      return { oneOf: [...peers.map(required), { not: { anyOf: peers.map(required) } }] };
    case 'and':
      return { dependentRequired: Object.fromEntries(peers.map((peer) => [peer, peers])) };
    case 'nand':
      return { not: { required: peers } };
    case 'with':
      return { dependentRequired: { [key!.key]: peers } };
    case 'without':
      return { not: { allOf: [required(key!.key), { anyOf: peers.map(required) }] } };
    default:
      throw new Error(`No JSON Schema for joi's rule ${rel}.`);
  }
}

/** The patterns of a text. joi's `$_getRule` finds only rules that a schema can have once. */
const listPatterns = (schema: joi.Schema): RegExp[] =>
  (schema as unknown as Record<'_rules', { name: string; args?: { regex?: RegExp } }[]>)['_rules'].flatMap(
    ({ name, args }) => (name === 'pattern' && args?.regex) || [],
  );

/** The JSON Schema in the metadata. joi's own rules take precedence over the general pattern of texts. */
function describedJson(schema: joi.Schema): JsonSchema {
  const said: JsonSchema = readMeta(schema).json!;
  if (said.pattern !== STORABLE) return said;
  const { pattern: _, ...rest } = said;
  if (listPatterns(schema).length > 0) return rest;
  return schema.$_getRule('trim') ? { ...said, pattern: TRIMMED } : said;
}

/** The description of something deprecated. */
export const describeDeprecated = (description: string | undefined, { since, sunset }: Deprecation) => ({
  description: [description, `Deprecated since ${since}. It may be removed from ${sunset}.`]
    .filter(Boolean)
    .join(' '),
  deprecated: true,
  'x-sunset': sunset,
});

/** The side of the document for which schemas are written: requests or responses. */
export interface Side {
  /** True for responses: clients must accept fields and values that a later release adds. */
  grows: boolean;
  /** Takes the schema of a name and returns a reference to it. */
  refer?(name: string, schema: JsonSchema): JsonSchema;
}

/** Allows what a later release may add to a response. */
function grown(json: JsonSchema, { fixed }: Meta): JsonSchema {
  const { enum: values, ...rest } = json;
  if (json.additionalProperties === false) delete rest.additionalProperties;
  if (!values) return rest;
  const isText = [json.type].flat().includes('string') && !fixed;
  return isText
    ? { ...rest, 'x-extensible-enum': values.filter((value) => value !== null) }
    : { ...rest, enum: values };
}

/** A reference to a named schema, with the description at this place. */
function reference(json: JsonSchema, name: string, refer: NonNullable<Side['refer']>): JsonSchema {
  const { description, default: preset, deprecated, type, ...rest } = json;
  const types = [type!].flat();
  const isNullable = types.includes('null');
  const [own = 'object'] = types.filter((each) => each !== 'null');
  const ref = refer(name, { type: own, ...rest });
  return {
    ...(isNullable ? { anyOf: [ref, { type: 'null' }] } : ref),
    ...(description && { description }),
    ...('default' in json && { default: preset }),
    ...(deprecated && { deprecated }),
  };
}

/**
 * Adds what joi's JSON Schema omits: rules between fields, null among other values, white space, metadata,
 * and differences between requests and responses.
 */
function complete(given: JsonSchema, schema: joi.Schema, side: Side): JsonSchema {
  let json = given;
  const { keys, items, matches, patterns, dependencies } = schema.$_terms;
  for (const { key, schema: child } of keys ?? [])
    json.properties![key] = complete(json.properties![key]!, child, side);
  for (const { regex, rule } of patterns ?? []) {
    const inner = json.patternProperties?.[regex?.source];
    if (inner) json.patternProperties![regex.source] = complete(inner, rule, side);
  }
  if (items?.length === 1) json.items = complete(json.items!, items[0], side);
  const { anyOf } = json;
  if (anyOf && matches?.length === anyOf.length)
    json.anyOf = anyOf.map((option, n) => complete(option, matches[n].schema, side));
  for (const { flags } of listPatterns(schema))
    if (flags) throw new Error(`JSON Schema has no pattern flags: ${flags}.`);
  if (dependencies?.length > 0) json.allOf = dependencies.map(dependency);
  const meta = readMeta(schema);
  Object.assign(json, describedJson(schema));
  if (json.enum && json.type?.includes('null') && Array.isArray(json.type)) json.enum = [...json.enum, null];
  if (side.grows) json = grown(json, meta);
  if (meta.deprecated) json = { ...json, ...describeDeprecated(json.description, meta.deprecated) };
  return meta.component && side.refer ? reference(json, meta.component, side.refer) : json;
}

/** A joi schema as JSON Schema 2020-12: without `side`, as a request has it, in one piece. */
export function toJsonSchema(schema: joi.Schema, side: Side = { grows: false }): JsonSchema {
  const json = schema['~standard'].jsonSchema.input({ target: 'draft-2020-12' }) as JsonSchema;
  return complete(json, schema, side);
}

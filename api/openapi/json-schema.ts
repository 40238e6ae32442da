import type joi from 'joi';
import { STORABLE, TRIMMED } from '../http/patterns.js';

/** The parts of JSON Schema 2020-12 that the document uses. */
export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  format?: string;
  pattern?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
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

/**
 * What `meta({ json })` says of a schema, the later over the earlier. A rule of joi's own over
 * what holds of every text.
 */
function readMeta(schema: joi.Schema): JsonSchema {
  const { metas = [] } = schema.$_terms as { metas?: { json?: JsonSchema }[] };
  const said: JsonSchema = Object.assign({}, ...metas.map(({ json }) => json));
  if (said.pattern !== STORABLE) return said;
  const { pattern: _, ...rest } = said;
  if (listPatterns(schema).length > 0) return rest;
  return schema.$_getRule('trim') ? { ...said, pattern: TRIMMED } : said;
}

/**
 * Adds what joi's JSON Schema omits: rules between fields, null among other values, white
 * space, and `meta({ json })`.
 */
function complete(json: JsonSchema, schema: joi.Schema): JsonSchema {
  const { keys, items, matches, dependencies } = schema.$_terms;
  for (const { key, schema: child } of keys ?? [])
    json.properties![key] = complete(json.properties![key]!, child);
  if (items?.length === 1) json.items = complete(json.items!, items[0]);
  const { anyOf } = json;
  if (anyOf && matches?.length === anyOf.length)
    json.anyOf = anyOf.map((option, n) => complete(option, matches[n].schema));
  for (const { flags } of listPatterns(schema))
    if (flags) throw new Error(`JSON Schema has no pattern flags: ${flags}.`);
  if (dependencies?.length > 0) json.allOf = dependencies.map(dependency);
  Object.assign(json, readMeta(schema));
  if (json.enum && json.type?.includes('null') && Array.isArray(json.type)) json.enum = [...json.enum, null];
  return json;
}

/** A joi schema as JSON Schema 2020-12. */
export function toJsonSchema(schema: joi.Schema): JsonSchema {
  return complete(schema['~standard'].jsonSchema.input({ target: 'draft-2020-12' }) as JsonSchema, schema);
}

import type joi from 'joi';
import { isDeepStrictEqual } from 'node:util';
import { toJsonSchema, type JsonSchema } from './json-schema.js';

/** Writes the schemas of a document, and collects those with a name (`meta({ component })`). */
export interface Writer {
  request(schema: joi.Schema): JsonSchema;
  response(schema: joi.Schema): JsonSchema;
  /** Adds a schema of responses under a name, and refers to it. */
  add(name: string, schema: JsonSchema): JsonSchema;
  /** The named schemas until now, by name. */
  schemas(): Record<string, JsonSchema>;
}

/**
 * Creates a writer. It throws if two schemas have the same name. The names of request schemas end in `Input`,
 * because they do not allow unknown fields, while response schemas do.
 */
export function createWriter(): Writer {
  const named = new Map<string, JsonSchema>();
  const add = (name: string, schema: JsonSchema): JsonSchema => {
    const known = named.get(name);
    if (known && !isDeepStrictEqual(known, schema)) throw new Error(`Two schemas are named ${name}.`);
    named.set(name, schema);
    return { $ref: `#/components/schemas/${name}` };
  };
  return {
    request: (schema) =>
      toJsonSchema(schema, { grows: false, refer: (name, json) => add(`${name}Input`, json) }),
    response: (schema) => toJsonSchema(schema, { grows: true, refer: add }),
    add,
    schemas: () => Object.fromEntries([...named].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

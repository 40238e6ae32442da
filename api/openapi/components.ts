import type joi from 'joi';
import type { Named } from './content.js';
import { toJsonSchema, type JsonSchema } from './json-schema.js';

const refTo = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

/** JSON Schemas of named schemas, and a function that replaces them by references inside larger schemas. */
export function nameSchemas(schemas: Record<string, joi.Schema>): {
  schemas: Record<string, JsonSchema>;
  named: Named;
} {
  const plain = Object.entries(schemas)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, schema]) => [name, toJsonSchema(schema)] as const);
  const names = new Map(plain.map(([name, json]) => [JSON.stringify(json), name]));
  const named: Named = (json) => {
    if (json.type !== 'object') return within(json);
    // A field that holds a named schema may have its own description.
    const { description, ...unnamed } = json;
    const name = names.get(JSON.stringify(json)) ?? names.get(JSON.stringify(unnamed));
    if (!name) return within(json);
    return description ? { ...refTo(name), description } : refTo(name);
  };
  const part = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(part) : typeof value === 'object' && value ? named(value) : value;
  const within: Named = (json) =>
    Object.fromEntries(Object.entries(json).map(([key, value]) => [key, part(value)]));
  return { schemas: Object.fromEntries(plain.map(([name, json]) => [name, within(json)])), named };
}

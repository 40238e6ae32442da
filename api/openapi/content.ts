import type { JsonSchema } from './json-schema.js';

/** Replaces schemas that have a name by references. */
export type Named = (json: JsonSchema) => JsonSchema;

/** A JSON body. */
export const content = (schema: JsonSchema, example?: unknown): JsonSchema => ({
  'application/json': { schema, ...(example !== undefined && { example }) },
});

import type { JsonSchema } from './json-schema.js';

/** Puts names where a named schema stands. */
export type Named = (json: JsonSchema) => JsonSchema;

/** A JSON body. */
export const content = (schema: JsonSchema, example?: unknown): JsonSchema => ({
  'application/json': { schema, ...(example !== undefined && { example }) },
});

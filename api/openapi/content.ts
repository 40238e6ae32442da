import type { JsonSchema } from './json-schema.js';
import type { JsonContent } from './open-api.js';

/** Replaces schemas that have a name by references. */
export type Named = (json: JsonSchema) => JsonSchema;

/** A JSON body. */
export const content = (schema: JsonSchema, example?: unknown): JsonContent => ({
  'application/json': { schema, ...(example !== undefined && { example }) },
});

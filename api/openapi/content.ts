import type { JsonSchema } from './json-schema.js';
import type { JsonContent } from './open-api.js';

/** A JSON body. */
export const content = (schema: JsonSchema, example?: unknown): JsonContent => ({
  'application/json': { schema, ...(example !== undefined && { example }) },
});

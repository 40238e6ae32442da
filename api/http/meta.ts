import type joi from 'joi';

/** When it was announced that something is to go, and when it goes at the earliest: days, `2027-01-31`. */
export interface Deprecation {
  since: string;
  sunset: string;
}

/** What `meta` says of a schema for the API document. */
export interface Meta {
  /** What its JSON Schema has. */
  json?: { format?: string };
  /** The name under which the document has it: `Room`, and `RoomInput` in requests. Null for none. */
  component?: string | null;
  /** Its values never change, so that they are an `enum` in responses too. */
  fixed?: true;
  deprecated?: Deprecation;
}

/** What is said of a schema, the later over the earlier. */
export const readMeta = (schema: joi.Schema): Meta => {
  const { metas = [] } = schema.$_terms as { metas?: Meta[] };
  return Object.assign({}, ...metas, { json: Object.assign({}, ...metas.map(({ json }) => json)) });
};

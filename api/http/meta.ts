import type joi from 'joi';

/**
 * The day on which a deprecation was announced, and the first day on which it may be removed: `2027-01-31`.
 */
export interface Deprecation {
  since: string;
  sunset: string;
}

/** The metadata of a schema for the API document. */
export interface Meta {
  /** Properties to add to its JSON Schema. */
  json?: { format?: string };
  /**
   * The name of the component in the document: `Room`, and `RoomInput` in requests. Null for no component.
   */
  component?: string | null;
  /** Its values never change, so they are an `enum` in responses too. */
  fixed?: true;
  deprecated?: Deprecation;
}

/** The metadata of a schema. Later values replace earlier ones. */
export const readMeta = (schema: joi.Schema): Meta => {
  const { metas = [] } = schema.$_terms as { metas?: Meta[] };
  return Object.assign({}, ...metas, { json: Object.assign({}, ...metas.map(({ json }) => json)) });
};

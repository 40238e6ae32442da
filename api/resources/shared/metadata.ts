import joi from 'joi';
import {
  MAX_KEYS,
  MAX_VALUE,
  METADATA_KEY,
  type Metadata,
  type MetadataChange,
} from '../../../domain/metadata.js';
import { text } from '../../http/fields.js';
import { typed, type Typed } from '../../http/typed.js';
import { field } from './field.js';

const value = text(MAX_VALUE).allow('');

/** An object of some values by key. */
const keyedBy = <T extends object>(value: joi.Schema, json: object): Typed<T, joi.ObjectSchema> =>
  typed(
    joi
      .object()
      .pattern(/^/, value)
      .meta({ json: { additionalProperties: json, propertyNames: { pattern: METADATA_KEY.source } } })
      .custom((metadata: object, helpers) =>
        Object.keys(metadata).every((key) => METADATA_KEY.test(key))
          ? metadata
          : helpers.message({
              custom: '{{#label}} must have keys of 1 to 40 letters, digits, underscores, dots or hyphens',
            }),
      ),
  );

const sent = keyedBy<MetadataChange>(value.allow(null), { type: ['string', 'null'], maxLength: MAX_VALUE });

/** Values that an integration stores with an object (docs/rules/api.md#metadata). */
export const metadata = field(
  sent,
  'Your own key-value pairs. Empty if there are none, and after an erasure.',
  {
    sent:
      `Up to ${MAX_KEYS} key-value pairs of your own. Keys that you omit keep their value; null ` +
      'removes a key.',
    read: typed<Metadata>(
      joi
        .object()
        .pattern(/^/, joi.string().allow(''))
        .meta({ json: { additionalProperties: { type: 'string' } } }),
    ),
  },
);

/** The parameter `metadata[key]=value` of a list of `objects`. */
export const metadataFilter = (objects: string): Typed<Metadata, joi.ObjectSchema> =>
  keyedBy<Metadata>(value, { type: 'string', maxLength: MAX_VALUE })
    .max(MAX_KEYS)
    .description(
      `Returns only ${objects} with this metadata value, as \`metadata[key]=value\`. Can be sent once ` +
        'for each key.',
    );

import { isShownImage } from '../../../domain/image-url.js';
import { text } from '../../http/fields.js';
import { IMAGE_URL } from '../../http/patterns.js';

/** The URL of an image that pages of payers show (docs/rules/workspace.md#look). */
export const imageUrl = text(2_000)
  .uri({ scheme: ['https', 'http'] })
  .meta({ json: { pattern: IMAGE_URL } })
  .custom((value: string, helpers) =>
    isShownImage(value)
      ? value
      : helpers.message({ custom: '{{#label}} must be an https URL with a host name' }),
  );

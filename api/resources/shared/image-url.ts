import { imageOrigin } from '../../../domain/image-url.js';
import { pictureKeyIn } from '../../../domain/picture.js';
import { text } from '../../http/fields.js';

const urlThat = (isAllowed: (url: string) => boolean) =>
  text(2_000)
    .uri({ scheme: ['https', 'http'] })
    .custom((value: string, helpers) =>
      isAllowed(value)
        ? value
        : helpers.message({ custom: '{{#label}} must be an https URL with the name of a host' }),
    );

/** The URL of an image that pages of payers show (docs/rules/workspace.md#look). */
export const imageUrl = urlThat((url) => imageOrigin(url) !== null);

/** The same, or the address of an uploaded picture: in development the service has http. */
export const pictureUrl = urlThat((url) => imageOrigin(url) !== null || pictureKeyIn(url) !== null);

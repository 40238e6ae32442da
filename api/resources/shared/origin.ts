import { DEFAULT_PORT, ORIGIN } from '../../http/patterns.js';
import { string } from '../../http/typed.js';

/** The origin of a website, as browsers send it. */
export const origin = string
  .pattern(
    /^https?:\/\/[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d{1,5})?$/,
    'an origin such as https://www.example.com',
  )
  .meta({ json: { pattern: ORIGIN, not: { pattern: DEFAULT_PORT } } })
  .custom((value: string, helpers) =>
    URL.canParse(value) && new URL(value).origin === value
      ? value
      : helpers.message({ custom: '{{#label}} must be an origin such as https://www.example.com' }),
  );

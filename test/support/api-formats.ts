import { domainToASCII } from 'node:url';
import type { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { fastFormats } from 'ajv-formats/dist/formats.js';

const isAscii = fastFormats.email as RegExp;

/** Teaches a validator the formats that the API document uses. */
export function addApiFormats(ajv: Ajv2020): void {
  // The types of the package are those of its CommonJS export.
  (addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
  // It lacks addresses with an international domain.
  ajv.addFormat('idn-email', (text: string) => {
    const at = text.lastIndexOf('@') + 1;
    return isAscii.test(text.slice(0, at) + domainToASCII(text.slice(at)));
  });
}

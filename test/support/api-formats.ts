import { domainToASCII } from 'node:url';
import type { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { fastFormats } from 'ajv-formats/dist/formats.js';

const isAscii = fastFormats.email as RegExp;

/** Adds the formats of the API document to a validator. */
export function addApiFormats(ajv: Ajv2020): void {
  // The package's types are for its CommonJS export.
  (addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
  // It lacks addresses with an international domain.
  ajv.addFormat('idn-email', (text: string) => {
    const at = text.lastIndexOf('@') + 1;
    return isAscii.test(text.slice(0, at) + domainToASCII(text.slice(at)));
  });
}

import type { ObjectSchema } from 'joi';
import type { Call } from './endpoint.js';
import { postDataInvalid, Refused, validationException } from './errors.js';

/** Paths for which `summarizeErrors` is false by default, according to Xero's OpenAPI document. */
const SUMMARIZES_ON_REQUEST = /^\/api\.xro\/2\.0\/(Contacts|Invoices|CreditNotes(\/[^/]+\/Allocations)?)$/;

/**
 * Saves the elements of a body and returns them as saved. One invalid element fails the call, and nothing is
 * saved. Without `summarizeErrors` only that element fails, and the 200 response contains its errors.
 */
export function saveAll<T>(
  call: Call,
  plural: string,
  schema: ObjectSchema<T>,
  save: (input: T) => object,
): object {
  const asked = call.query['summarizeErrors'];
  const summarize = asked === undefined ? !SUMMARIZES_ON_REQUEST.test(call.path) : asked !== 'false';
  const refused: object[] = [];
  const saved = readElements(call.body, plural).map((element) => {
    const input = readElement(schema, element);
    try {
      const object = call.sim.store.attempt(() => save(input));
      return summarize ? object : { ...object, StatusAttributeString: 'OK' };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const ValidationErrors = error.messages.map((Message) => ({ Message }));
      const failed = { ...element, HasErrors: true, StatusAttributeString: 'ERROR', ValidationErrors };
      refused.push(failed);
      return failed;
    }
  });
  if (summarize && refused.length > 0) throw validationException(refused);
  return { [plural]: saved };
}

/** The elements of a body: a list under its name, a list, or one object. */
function readElements(body: unknown, plural: string): object[] {
  const named = isObject(body) && plural in body ? (body as Record<string, unknown>)[plural] : body;
  const elements = Array.isArray(named) ? (named as unknown[]) : [named];
  if (elements.length > 0 && elements.every(isObject)) return elements;
  throw postDataInvalid(`There are no ${plural} in the request.`);
}

function readElement<T>(schema: ObjectSchema<T>, element: object): T {
  const { error, value } = schema.validate(withoutNulls(element), { stripUnknown: true });
  if (error) throw postDataInvalid(error.message);
  return value as T;
}

/** Removes fields that are null. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isObject(value)) return value;
  const named = Object.entries(value).filter(([, each]) => each !== null);
  return Object.fromEntries(named.map(([name, each]) => [name, withoutNulls(each)]));
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

import {
  createDocument,
  findDocument,
  updateDocument,
  type Desk,
  type DocumentInput,
} from '../books/documents.js';
import type { Call } from '../http/endpoint.js';
import { notFound } from '../http/errors.js';
import type { Document } from '../state/records.js';

/** Where the documents of a call are kept. */
export function deskOf(call: Call, type: Document['type']): Desk {
  const { sim, organisation, query, idempotencyKey } = call;
  const unitDecimals = query['unitdp'] === '4' ? 4 : 2;
  return { store: sim.store, organisation, type, unitDecimals, idempotencyKey };
}

/** What POST does: changes the document with this id or number, or makes a new one. */
export function createOrUpdate(desk: Desk, input: DocumentInput): Document {
  const known = (input.id ?? input.number) ? findDocument(desk, input) : undefined;
  if (known) return updateDocument(desk, known, input);
  if (input.id) throw notFound();
  return createDocument(desk, input);
}

/** The document in the address, by its id or its number. */
export function namedDocument(desk: Desk, name: string): Document {
  const found = findDocument(desk, { id: name }) ?? findDocument(desk, { number: name });
  if (!found) throw notFound();
  return found;
}

import {
  createDocument,
  findDocument,
  updateDocument,
  type DocumentContext,
  type DocumentInput,
} from '../bookkeeping/documents.js';
import type { Call } from '../http/endpoint.js';
import { notFound } from '../http/errors.js';
import type { Document } from '../state/records.js';

/** The table of a document type. */
export function documentContextOf(call: Call, type: Document['type']): DocumentContext {
  const { sim, organisation, query, idempotencyKey } = call;
  const unitDecimals = query['unitdp'] === '4' ? 4 : 2;
  return { store: sim.store, organisation, type, unitDecimals, idempotencyKey };
}

/** What POST does: updates the document with this id or number, or creates one. */
export function createOrUpdate(context: DocumentContext, input: DocumentInput): Document {
  const known = (input.id ?? input.number) ? findDocument(context, input) : undefined;
  if (known) return updateDocument(context, known, input);
  if (input.id) throw notFound();
  return createDocument(context, input);
}

/** The document in the path, by its id or number. */
export function namedDocument(context: DocumentContext, name: string): Document {
  const found = findDocument(context, { id: name }) ?? findDocument(context, { number: name });
  if (!found) throw notFound();
  return found;
}

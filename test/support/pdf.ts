import { extractText, getDocumentProxy } from 'unpdf';
import type { ApiClient } from './api-client.js';
import { dev } from './stack.js';

/** The response to a request for a PDF, and its bytes. */
export async function getPdf({ token }: ApiClient, path: string) {
  const response = await fetch(new URL(path, dev.baseUrl), { headers: { authorization: `Bearer ${token}` } });
  return { response, bytes: new Uint8Array(await response.arrayBuffer()) };
}

/** The text of a PDF, with single spaces. */
export async function readPdf(bytes: Uint8Array): Promise<{ pages: number; text: string }> {
  const { totalPages, text } = await extractText(await getDocumentProxy(bytes), { mergePages: true });
  return { pages: totalPages, text: text.replaceAll(/\s+/g, ' ') };
}

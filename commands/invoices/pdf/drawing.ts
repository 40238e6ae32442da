import { Tinypool } from 'tinypool';
import { ApiError } from '../../../domain/errors.js';
import { printedGuest } from '../../../domain/bookings/origin.js';
import { taxName, type InvoiceParties } from '../../../domain/invoices/parties.js';
import type { NamedPayer } from '../../../domain/invoices/document.js';
import { withNamesOfMembers } from '../../../domain/members/plans.js';
import type { InvoiceDocument } from '../../../db/entities/invoices.js';
import { findParties } from '../../../db/queries/invoices/parties.js';
import type { InvoiceRow } from '../../../db/queries/invoices/invoice.js';
import { findPayer } from '../../../db/queries/invoices/payer.js';
import type { StatementRow } from '../../../db/queries/invoices/issued-statement.js';
import type { Refund } from '../../../db/queries/payments/refund.js';
import { findReference } from '../../../db/queries/bookings/reference.js';
import { findWorkspace } from '../../../db/queries/workspaces/workspace.js';
import type { Tx } from '../../../db/transaction.js';
import { MINUTE_MS } from '../../../domain/durations.js';
import type * as renderers from './thread.js';
import type { Language } from '../../../domain/words/languages.js';
import { getWords } from '../../../domain/words/words.js';

/** A document takes 10 to 50 ms, the longest 2 s, so few threads are needed. */
export const MAX_THREADS = 2;
/**
 * The maximum number of a workspace's documents that are being drawn or wait. Its clients would not wait for
 * more.
 */
const MAX_OF_WORKSPACE = 40;
const RETRY_AFTER_MS = 1_000;
/**
 * The limits of each thread, in MB. Without its own limits it could grow as large as the heap of the process
 * (docs/guides/install.md#memory). The longest invoice needs between 96 and 128.
 */
export const THREAD_LIMITS = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 12 };

let pool: Tinypool | undefined;

/**
 * Started with the first document, since most processes never draw any. Threads that are not needed for a
 * minute end.
 */
const threads = (): Tinypool =>
  (pool ??= new Tinypool({
    filename: new URL('./thread.js', import.meta.url).href,
    minThreads: 0,
    maxThreads: MAX_THREADS,
    idleTimeout: MINUTE_MS,
    resourceLimits: THREAD_LIMITS,
  }));

/** The documents of a workspace in this process: their number, and the last one. */
interface Queue {
  size: number;
  last: Promise<unknown>;
}
const queues = new Map<string, Queue>();

/**
 * Draws the documents of a workspace one after another, so that those of other workspaces never wait for all
 * of them, whoever requests them and by whatever link. Errors: 429 `rate_limited`.
 */
async function inTurn<T>(workspaceId: string, work: () => Promise<T>): Promise<T> {
  const queue = queues.get(workspaceId) ?? { size: 0, last: Promise.resolve() };
  if (queue.size >= MAX_OF_WORKSPACE)
    throw new ApiError(
      'rate_limited',
      `At most ${MAX_OF_WORKSPACE} PDFs of a workspace can be created at once. Try again in a moment.`,
      {
        retry_after_ms: RETRY_AFTER_MS,
      },
    );
  queues.set(workspaceId, queue);
  queue.size++;
  const turn = queue.last.then(work);
  queue.last = turn.catch(() => {});
  try {
    return await turn;
  } finally {
    if (--queue.size === 0) queues.delete(workspaceId);
  }
}

/**
 * Draws a PDF of a workspace in another thread. The longest take seconds, with single steps of 200 ms, which
 * would block the event loop. Errors: 429 `rate_limited` if too many documents of the workspace wait.
 */
export async function draw<Name extends keyof typeof renderers>(
  workspaceId: string,
  name: Name,
  input: Parameters<(typeof renderers)[Name]>[0],
): Promise<Buffer> {
  const bytes: Uint8Array = await inTurn(workspaceId, () => threads().run(input, { name }));
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Returns a member or guest as printed, with the company for which a guest books. Null: they were erased. */
function printedPayer(
  payer: NamedPayer | null,
  { parties, locale }: { parties: InvoiceParties; locale: Language },
): string {
  const words = getWords(locale);
  if (!payer) return words.say('documents.former_customer');
  return printedGuest(words, payer.name, payer.billing, taxName(parties));
}

/** Draws a document as it was issued, with the people it named then. Errors: those of `draw`. */
export const drawDocument = ({ lines, member_names, payer, ...document }: InvoiceDocument): Promise<Buffer> =>
  draw(document.workspace_id, 'renderDocument', {
    document: { ...document, lines: withNamesOfMembers(lines, new Map(Object.entries(member_names ?? {}))) },
    payer: printedPayer(payer, document.terms),
  });

/** Draws a statement as it was issued. Errors: those of `draw`. */
export const drawStatement = (statement: StatementRow): Promise<Buffer> =>
  draw(statement.workspace_id, 'renderStatement', {
    statement,
    payer: printedPayer(statement.payer, statement.content),
  });

/** Draws the confirmation of a refund of money that was never billed. Errors: those of `draw`. */
export async function drawRefund(tx: Tx, refund: Refund, invoice: InvoiceRow): Promise<Buffer> {
  const { time_zone, locale: ours } = (await findWorkspace(tx, invoice.workspace_id))!;
  const found = await findPayer(tx, invoice.id);
  const locale = found.locale ?? ours;
  const parties = await findParties(tx, invoice);
  const payer = printedPayer(found, { parties, locale });
  const booking = await findReference(tx, invoice.workspace_id, invoice.booking_id);
  const input = { refund, invoice, booking, time_zone, parties, payer, locale };
  return draw(invoice.workspace_id, 'renderRefund', input);
}

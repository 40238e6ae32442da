import { setTimeout as sleep } from 'node:timers/promises';
import { client, type ApiClient } from '../support/api-client.js';
import type { ApiResponse } from '../support/api-response.js';
import { dev } from '../support/stack.js';
import type { Random } from './random.js';
import type { ChaosWorkspace } from './scene.js';
import { openLink } from '../support/links.js';

const RETRY_PAUSE_MS = 500;

/** Counts of what the clients of a run have seen. */
export class Journal {
  bookings = 0;
  /** Holds of public guests. */
  publicHolds = 0;
  payments = 0;
  /** Payments recorded at the desk. */
  takenAtDesk = 0;
  /** Bookings on account. */
  onAccount = 0;
  /** Creates on account that were refused by a credit limit. */
  overLimit = 0;
  /** Pages of manage links that were opened, and their forms that were submitted. */
  manageLinks = 0;
  /** Bookings cancelled or moved by their manage link. */
  managed = 0;
  /** Refunds and disputes made at the processor. */
  madeAtProcessor = 0;
  /** The refunds that guests have seen and accepted, by booking; minor units. */
  readonly acceptedRefunds = new Map<string, Set<number>>();
  /** Bookings that were paid after their time. */
  readonly over: string[] = [];
  /** Responses that no client should get. */
  readonly wrong: string[] = [];
}

/** A page of the service. */
export interface Page {
  status: number;
  html: string;
}

/** How a client sends its requests while anything may fail. */
export class Requests {
  constructor(
    private readonly random: Random,
    private readonly journal: Journal,
    private readonly stopped: AbortSignal,
  ) {}

  /** Waits, at most until the run ends. */
  pause(ms: number): Promise<void> {
    return sleep(ms, undefined, { signal: this.stopped }).catch(() => undefined);
  }

  /** A client of one of the API processes. */
  api({ workspace }: ChaosWorkspace): ApiClient {
    return client(workspace.api.token, this.random.pick(dev.baseUrls));
  }

  /**
   * Sends a request. Null if the connection failed. Only responses that a client should never get are
   * recorded.
   */
  async send<Body>(
    what: string,
    request: () => Promise<ApiResponse<Body>>,
  ): Promise<ApiResponse<Body> | null> {
    try {
      const response = await request();
      if (response.status === 500) this.journal.wrong.push(`${what}: 500 ${JSON.stringify(response.body)}`);
      return response;
    } catch (error) {
      // fetch reports a lost connection as a TypeError; anything else is a response
      // that is not in the document.
      if (!(error instanceof TypeError)) this.journal.wrong.push(`${what}: ${(error as Error).message}`);
      return null;
    }
  }

  /** Opens a page at one of the API processes, or submits a form. Null if the connection failed. */
  async page(what: string, url: string, form?: Record<string, string>): Promise<Page | null> {
    const { pathname, search } = new URL(url);
    const init = form && { method: 'POST', body: new URLSearchParams(form) };
    try {
      const address = this.random.pick(dev.baseUrls) + pathname + search;
      const response = init ? await fetch(address, { ...init, redirect: 'manual' }) : await openLink(address);
      const html = await response.text();
      if (response.status === 500) this.journal.wrong.push(`${what}: 500 ${html.slice(0, 500)}`);
      return { status: response.status, html };
    } catch {
      return null;
    }
  }

  /** Repeats a request with the same idempotency key until it is answered, as a client should. */
  async insist<Body>(
    what: string,
    request: () => Promise<ApiResponse<Body>>,
  ): Promise<ApiResponse<Body> | null> {
    while (!this.stopped.aborted) {
      const response = await this.send(what, request);
      if (response && response.status < 500 && response.status !== 429) return response;
      await this.pause(RETRY_PAUSE_MS);
    }
    return null;
  }
}

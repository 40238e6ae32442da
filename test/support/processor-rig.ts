import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Stripe from 'stripe';
import { until } from './until.js';

const SECRETS = { platform: 'whsec_test_platform', connect: 'whsec_test_connect' };

export interface Received {
  event: Stripe.Event;
  via: 'platform' | 'connect' | 'unverified';
  at: number;
}

/** What the controls return: parts of the affected object, or an error. */
interface Settled {
  id: string;
  payment_intent: string;
  redirect_url: string;
  status: number;
  balance_transactions: object[];
  is_charge_refundable: boolean;
  error?: object;
}

/** A simulator in its own process, a receiver of its webhooks, and a stock client for it. */
export class Rig {
  private process!: ChildProcess;
  private port = 0;
  readonly received: Received[] = [];
  /** The status that the receiver returns. */
  answer = 200;
  stripe!: Stripe;

  private constructor(
    private readonly folder: string,
    private readonly receiver: Server,
  ) {
    receiver.on('request', (request, response) => {
      void this.receive(request).then(() => {
        response.writeHead(this.answer).end();
      });
    });
  }

  static async start(): Promise<Rig> {
    const receiver = createServer().listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    const rig = new Rig(await mkdtemp(join(tmpdir(), 'processor-')), receiver);
    await rig.startProcessor();
    return rig;
  }

  /** The address of the receiver. */
  get webhookUrl(): string {
    const { port } = this.receiver.address() as AddressInfo;
    return `http://127.0.0.1:${port}/webhooks`;
  }

  async startProcessor(): Promise<void> {
    this.process = spawn(process.execPath, ['build/dev/processor/main.js'], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: {
        ...process.env,
        PROCESSOR_PORT: String(this.port),
        PROCESSOR_DATA: this.folder,
        PROCESSOR_WEBHOOK_URL: this.webhookUrl,
        STRIPE_PLATFORM_WEBHOOK_SECRET: SECRETS.platform,
        STRIPE_CONNECT_WEBHOOK_SECRET: SECRETS.connect,
      },
    });
    const [message] = (await once(this.process, 'message')) as [{ port: number }];
    this.port = message.port;
    this.stripe = new Stripe('sk_test_holdfast', {
      host: '127.0.0.1',
      port: this.port,
      protocol: 'http',
      maxNetworkRetries: 0,
      telemetry: false,
    });
  }

  async stopProcessor(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
    const exited = once(this.process, 'exit');
    this.process.kill(signal);
    const [code] = (await exited) as [number | null];
    return code;
  }

  /** Edits the files for the next process. */
  async rewriteJournal(change: (text: string) => string): Promise<void> {
    const path = join(this.folder, 'journal.jsonl');
    await writeFile(path, change(await readFile(path, 'utf8')));
  }

  /** Clears all faults. */
  async reset(): Promise<void> {
    this.answer = 200;
    await this.sim('faults', {});
    await this.sim('refund_mode', { mode: 'succeed' });
  }

  async close(): Promise<void> {
    await this.stopProcessor('SIGKILL');
    this.receiver.close();
    await rm(this.folder, { recursive: true });
  }

  url(path: string): string {
    return `http://127.0.0.1:${this.port}${path}`;
  }

  async sim(path: string, body: object = {}): Promise<{ status: number; body: Settled }> {
    const answer = await fetch(this.url(`/_sim/${path}`), { method: 'POST', body: JSON.stringify(body) });
    return { status: answer.status, body: (await answer.json()) as Settled };
  }

  async ledger(account = ''): Promise<Record<string, Record<string, unknown>[]>> {
    return (await (await fetch(this.url(`/_sim/ledger?account=${account}`))).json()) as Record<
      string,
      Record<string, unknown>[]
    >;
  }

  /** Waits for a matching webhook. */
  async webhook(type: string, objectId?: string, account?: string): Promise<Received> {
    const fits = ({ event }: Received) =>
      event.type === type &&
      (!objectId || (event.data.object as { id: string }).id === objectId) &&
      (!account || event.account === account);
    return until(() => this.received.find(fits));
  }

  private async receive(request: IncomingMessage): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const signature = String(request.headers['stripe-signature']);
    for (const via of ['platform', 'connect'] as const) {
      try {
        const event = Stripe.webhooks.constructEvent(body, signature, SECRETS[via]);
        this.received.push({ event, via, at: Date.now() });
        return;
      } catch {
        // Signed with the other secret, or unsigned.
      }
    }
    this.received.push({
      event: JSON.parse(body.toString()) as Stripe.Event,
      via: 'unverified',
      at: Date.now(),
    });
  }
}

let counter = 0;

/** A new account, one or more per test. */
export function newAccount(): { stripeAccount: string } {
  counter += 1;
  return { stripeAccount: `acct_test${process.pid}x${counter}` };
}

/** Parameters of a session as the service sends them. */
export function sessionParams(overrides: Partial<Stripe.Checkout.SessionCreateParams> = {}) {
  return {
    mode: 'payment',
    line_items: [
      { quantity: 1, price_data: { currency: 'gbp', unit_amount: 4200, product_data: { name: 'Room' } } },
    ],
    success_url: 'http://127.0.0.1:1/done?session={CHECKOUT_SESSION_ID}',
    cancel_url: 'http://127.0.0.1:1/left',
    customer_creation: 'always',
    allowed_payment_method_types: ['card'],
    metadata: { booking_id: 'bk_1' },
    payment_intent_data: { setup_future_usage: 'off_session', metadata: { booking_id: 'bk_1' } },
    ...overrides,
  } as Stripe.Checkout.SessionCreateParams;
}

/** A session that has been paid, and its intent. */
export async function paidSession(rig: Rig, account: { stripeAccount: string }) {
  const session = await rig.stripe.checkout.sessions.create(sessionParams(), account);
  const { body } = await rig.sim(`checkout/${session.id}/pay`);
  return { session, intent: body.payment_intent };
}

/** A paid charge on its own account. */
export async function paidCharge(rig: Rig) {
  const account = newAccount();
  const { intent } = await paidSession(rig, account);
  const { latest_charge } = await rig.stripe.paymentIntents.retrieve(intent, {}, account);
  return { account, intent, charge: latest_charge as string };
}

/** The error of a refused call. */
export async function refused(call: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  const outcome = await call.then(
    () => null,
    (error: unknown) => error,
  );
  if (outcome instanceof Stripe.errors.StripeError) return outcome;
  throw new Error(`Expected a Stripe error, not: ${String(outcome)}`);
}
